"""Random point sets on which engines are compared: ties, collinear and equal points, decimals."""

import random


def point_set(seed):
    """A few labelled points on the line or in the plane, often in special position."""
    draw = random.Random(seed)
    d, n = draw.choice([1, 2, 2, 2]), draw.randint(2, 9)
    kind = draw.choice(["bits", "grid", "decimals", "collinear", "parted"])
    value = {
        "bits": lambda: draw.randint(0, 1),
        "grid": lambda: draw.randint(-3, 3),
        "decimals": lambda: draw.randint(-40, 40) / 10,
        "collinear": lambda: draw.randint(-3, 3),
        "parted": lambda: draw.randint(-30, 30) / 4,
    }[kind]
    X = [[value() for _ in range(d)] for _ in range(n)]
    if kind == "collinear" and d == 2:
        X = [[x, 2 * x + 1] for x, _ in X]
    y = [draw.choice([-1, 1]) for _ in range(n)]
    if kind == "parted":
        w = [draw.randint(-3, 3) for _ in range(d)]
        y = [1 if sum(a * b for a, b in zip(w, x, strict=True)) > 0.3 else -1 for x in X]
    if len(set(y)) < 2:
        y[0] = -y[0]
    return {
        "X": X,
        "y": y,
        "names": ["x1", "x2"][:d],
        "classes": ["−1", "+1"],
        "decimals": draw.random() < 0.8,
    }
