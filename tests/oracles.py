"""The algorithms in plain Python, as the textbooks write them: slow, obvious, and never wrong."""

from fractions import Fraction
from itertools import combinations


def perceptron(X, y, *, eta=1, max_iter=1000, tie="mistake", fit_intercept=True, start=None):
    """The textbook's perceptron in exact arithmetic: (ŵ, mistaken rows, mistakes an epoch)."""
    X = [[Fraction(value) for value in row] + [Fraction(int(fit_intercept))] for row in X]
    w = list(start) if start is not None else [Fraction(0)] * len(X[0])
    mistaken, calendar = [], []
    for _ in range(max_iter):
        calendar.append(0)
        for i, (x, label) in enumerate(zip(X, y, strict=True)):
            score = sum(a * b for a, b in zip(w, x, strict=True))
            if is_mistake(score, label, tie):
                w = [a + Fraction(eta) * label * b for a, b in zip(w, x, strict=True)]
                mistaken.append(i)
                calendar[-1] += 1
        if calendar[-1] == 0:
            break
    return w, mistaken, calendar


def is_mistake(score, label, tie):
    """The three tie rules, in words: which side is a score of exactly 0 on?"""
    if score == 0:
        return {"mistake": True, "+1": label == -1, "-1": label == 1}[tie]
    return (score > 0) != (label > 0)


def float_perceptron(X, y, *, eta=1.0, epochs=1, tie="mistake", order=None, weights=None):
    """Float64 weights, exact signs: each weight rounded as w + (η·y)·x, each score not at all."""
    w = [0.0] * (len(X[0]) + 1)
    mistaken = []
    for _ in range(epochs):
        for i in order if order is not None else range(len(X)):
            score = sum(Fraction(a) * Fraction(b) for a, b in zip(w, [*X[i], 1.0], strict=True))
            if is_mistake(score, y[i], tie):
                step = eta * y[i] * (1.0 if weights is None else weights[i])
                w = [a + step * b for a, b in zip(w, [*X[i], 1.0], strict=True)]
                mistaken.append(i)
    return w, mistaken


def worst_perceptron(X, y, *, rounds, tie="mistake"):
    """The most violated example first, ties to the first row: (ŵ, mistaken rows), exact scores."""
    w, mistaken = [0.0] * (len(X[0]) + 1), []
    for _ in range(rounds):
        sides = [
            (y[i] * sum(Fraction(a) * Fraction(b) for a, b in zip(w, [*X[i], 1.0], strict=True)), i)
            for i in range(len(X))
        ]
        wrong = [(side, i) for side, i in sides if is_mistake(side * y[i], y[i], tie)]
        if not wrong:
            break
        i = min(wrong)[1]
        w = [a + y[i] * b for a, b in zip(w, [*X[i], 1.0], strict=True)]
        mistaken.append(i)
    return w, mistaken


def recession_cone(X, y, fit_intercept):
    """Generators of {β : yᵢx̂ᵢ·β ≥ 0} for tiny data: the corners of its part in the unit box.

    A corner is where p of the inequalities (rows and box) hold with equality: try all choices.
    """
    hats = [[*map(Fraction, row), *[Fraction(1)] * fit_intercept] for row in X]
    A = [[label * x for x in hat] for hat, label in zip(hats, y, strict=True)]
    p = len(A[0])
    unit = [[Fraction(int(j == k)) for k in range(p)] for j in range(p)]
    planes = [(row, Fraction(0)) for row in {tuple(row) for row in A} if any(row)]
    planes += [(e, Fraction(side)) for e in unit for side in (-1, 1)]
    corners = set()
    for chosen in combinations(planes, p):
        corner = solved([list(row) for row, _ in chosen], [side for _, side in chosen])
        if corner is None or any(abs(value) > 1 for value in corner):
            continue
        if all(dot(row, corner) >= 0 for row in A):
            corners.add(tuple(corner))
    return A, sorted(corners)


def dot(u, v):
    """Σ uⱼvⱼ."""
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


def solved(matrix, right):
    """The solution of a square system by Gauss' elimination, or None if there is not just one."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for j in range(len(rows)):
        pivot = next((i for i in range(j, len(rows)) if rows[i][j]), None)
        if pivot is None:
            return None
        rows[j], rows[pivot] = rows[pivot], rows[j]
        for i in range(len(rows)):
            if i != j and rows[i][j]:
                factor = rows[i][j] / rows[j][j]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[j], strict=True)]
    return [row[-1] / row[j] for j, row in enumerate(rows)]


def rank(vectors):
    """The rank of a list of vectors, by elimination."""
    rows, count = [list(map(Fraction, vector)) for vector in vectors], 0
    while rows:
        row = rows.pop()
        lead = next((j for j, value in enumerate(row) if value), None)
        if lead is None:
            continue
        count += 1
        rows = [
            [a - other[lead] / row[lead] * b for a, b in zip(other, row, strict=True)]
            for other in rows
        ]
    return count


def separability(X, y, fit_intercept=True):
    """ "separable", "touching" or "overlapping", by one linear program over the integers.

    Maximise Σ tᵢ over yᵢ x̂ᵢ·ŵ ≥ tᵢ, 0 ≤ tᵢ ≤ 1: all of them reach 1, some do, or none.
    """
    A = [
        [label * value for value in row] + [label] * fit_intercept
        for row, label in zip(X, y, strict=True)
    ]
    n, p = len(A), len(A[0])
    # Columns: ŵ = u − v with u, v ≥ 0, then t.
    unit = [[int(i == j) for j in range(n)] for i in range(n)]
    upper = [[-a for a in row] + row + unit[i] for i, row in enumerate(A)]
    lower = [[0] * (2 * p) + unit[i] for i in range(n)]
    best = simplex(upper + lower, [0] * n + [1] * n, [0] * (2 * p) + [1] * n)
    return "separable" if best == n else "touching" if best > 0 else "overlapping"


def simplex(rows, right, cost):
    """The maximum of cost·z over rows·z ≤ right, z ≥ 0, with integers and right ≥ 0.

    Dantzig's tableau with Bland's rule. The entries are integers over one common denominator, the
    last pivot, so that every division below is exact (Edmonds, Bareiss).
    """
    m = len(rows)
    table = [
        [*row, *(int(i == j) for j in range(m)), b]
        for i, (row, b) in enumerate(zip(rows, right, strict=True))
    ]
    table.append([*(-c for c in cost), *[0] * (m + 1)])
    basis, denominator = list(range(len(cost), len(cost) + m)), 1
    while True:
        entering = next((j for j, c in enumerate(table[m][:-1]) if c < 0), None)
        if entering is None:
            return Fraction(table[m][-1], denominator)
        ratios = [
            (Fraction(row[-1], row[entering]), basis[i], i)
            for i, row in enumerate(table[:m])
            if row[entering] > 0
        ]
        at = min(ratios)[2]
        basis[at] = entering
        pivot = table[at][entering]
        for i, row in enumerate(table):
            if i != at:
                factor = row[entering]
                table[i] = [
                    (pivot * a - factor * b) // denominator
                    for a, b in zip(row, table[at], strict=True)
                ]
        denominator = pivot
