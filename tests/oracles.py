"""The algorithms in plain Python, as the textbooks write them: slow, obvious, and never wrong."""

from fractions import Fraction
from itertools import combinations
from math import lcm


def perceptron(X, y, *, eta=1, max_iter=1000, tie="mistake", fit_intercept=True, start=None):
    """The textbook's perceptron in exact arithmetic: (ŵ, mistaken rows, mistakes an epoch)."""
    X = [[Fraction(value) for value in row] + [Fraction(int(fit_intercept))] for row in X]
    w = list(start) if start is not None else [Fraction(0)] * len(X[0])
    mistaken, mistakes_per_epoch = [], []
    for _ in range(max_iter):
        mistakes_per_epoch.append(0)
        for i, (x, label) in enumerate(zip(X, y, strict=True)):
            score = sum(a * b for a, b in zip(w, x, strict=True))
            if is_mistake(score, label, tie):
                w = [a + Fraction(eta) * label * b for a, b in zip(w, x, strict=True)]
                mistaken.append(i)
                mistakes_per_epoch[-1] += 1
        if mistakes_per_epoch[-1] == 0:
            break
    return w, mistaken, mistakes_per_epoch


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


def nearest_square(points):
    """The least ‖p‖² over the hull of a few points: of all of its faces, one is nearest."""
    points, found = sorted({tuple(map(Fraction, point)) for point in points}), []
    for size in range(1, len(points[0]) + 2):
        for face in combinations(points, size):
            # Σ αᵢaᵢ with equal products with all aᵢ, and Σ αᵢ = 1.
            rows = [[*(dot(a, b) for b in face), Fraction(-1)] for a in face]
            rows.append([Fraction(1)] * size + [Fraction(0)])
            alpha = solved(rows, [Fraction(0)] * size + [Fraction(1)])
            if alpha is not None and min(alpha[:-1]) >= 0:
                found.append(alpha[-1])
    return min(found)


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


def faces(X, y, fit_intercept=True):
    """The verdict, and the rows on the plane of every weak separator: one program for each row."""
    exact = [[Fraction(value) for value in row] for row in X]
    scale = [lcm(*(row[j].denominator for row in exact)) for j in range(len(exact[0]))]
    whole = [[int(v * s) for v, s in zip(row, scale, strict=True)] for row in exact]
    A = [
        [label * value for value in row] + [label] * fit_intercept
        for row, label in zip(whole, y, strict=True)
    ]
    n, p = len(A), len(A[0])
    unit = [[int(i == j) for j in range(n)] for i in range(n)]
    upper = [[-a for a in row] + row + unit[i] for i, row in enumerate(A)]
    lower = [[0] * (2 * p) + unit[i] for i in range(n)]
    on_plane = [
        i
        for i in range(n)
        if simplex(upper + lower, [0] * n + [1] * n, [0] * (2 * p) + unit[i]) == 0
    ]
    word = {0: "separable", n: "overlapping"}.get(len(on_plane), "touching")
    return word, on_plane


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


def exact_dot(w, x):
    """w·x̂ of float64 numbers, without rounding; x̂ has the bias behind it."""
    return sum(Fraction(a) * Fraction(b) for a, b in zip(w, [*x, 1.0], strict=True))


def pocket(X, y, orders, *, ratchet, tie="mistake"):
    """Gallant's pocket: (ŵ kept, its errors, run lengths of all that were kept). η = 1."""

    def errors(w):
        return sum(is_mistake(exact_dot(w, x), label, tie) for x, label in zip(X, y, strict=True))

    w = [0.0] * (len(X[0]) + 1)
    kept, kept_run, lengths, run, entered = w, 0, [], 0, False
    for order in orders:
        mistakes = 0
        for i in order:
            if is_mistake(exact_dot(w, X[i]), y[i], tie):
                w = [a + y[i] * b for a, b in zip(w, [*X[i], 1.0], strict=True)]
                run, entered, mistakes = 0, False, mistakes + 1
                continue
            run += 1
            if run > kept_run and (entered or not ratchet or errors(w) < errors(kept)):
                kept, kept_run = w, run
                lengths = [*(lengths[:-1] if entered else lengths), run]
                entered = True
            if ratchet and errors(kept) == 0:
                return kept, 0, lengths
        if mistakes == 0 and errors(w) == 0:
            return w, 0, lengths if entered else [*lengths, run]
    return kept, errors(kept), lengths


def averaged(X, y, *, epochs, tie="mistake", number=Fraction):
    """The mean of ŵ after each round, with `number` arithmetic, added up as it is defined."""
    X = [[number(value) for value in row] + [number(1)] for row in X]
    w, total = [number(0)] * len(X[0]), [number(0)] * len(X[0])
    for _ in range(epochs):
        for x, label in zip(X, y, strict=True):
            if is_mistake(
                sum(Fraction(a) * Fraction(b) for a, b in zip(w, x, strict=True)), label, tie
            ):
                w = [a + label * b for a, b in zip(w, x, strict=True)]
            total = [a + b for a, b in zip(total, w, strict=True)]
    return [value / (epochs * len(X)) for value in total]


def lazily_averaged(X, y, *, epochs, eta=1.0, tie="mistake"):
    """The same with float64 numbers and the lazy counter: ŵ − (Σ t·η·y·x̂)/T."""
    w, delayed, t = [0.0] * (len(X[0]) + 1), [0.0] * (len(X[0]) + 1), 0
    for _ in range(epochs):
        for x, label in zip(X, y, strict=True):
            if is_mistake(exact_dot(w, x), label, tie):
                step = eta * label
                w = [a + step * b for a, b in zip(w, [*x, 1.0], strict=True)]
                delayed = [a + (step * t) * b for a, b in zip(delayed, [*x, 1.0], strict=True)]
            t += 1
    return [a - b / t for a, b in zip(w, delayed, strict=True)]


def voted(X, y, *, epochs, tie="mistake"):
    """All ŵ that the perceptron had, with the rounds each survived."""
    w, votes = [0.0] * (len(X[0]) + 1), []
    survived = 0
    for _ in range(epochs):
        for x, label in zip(X, y, strict=True):
            if is_mistake(exact_dot(w, x), label, tie):
                votes.append((w, survived))
                w, survived = [a + label * b for a, b in zip(w, [*x, 1.0], strict=True)], 0
            survived += 1
    return [*votes, (w, survived)]


def vote(votes, x, tie="mistake"):
    """The votes for +1 minus those for −1, a score of 0 voting as it predicts."""
    at_zero = -1 if tie == "-1" else 1
    signs = [(exact_dot(w, x), survived) for w, survived in votes]
    return sum(c * (at_zero if s == 0 else 1 if s > 0 else -1) for s, c in signs)


def joint(X, labels, classes, *, epochs):
    """The multiclass perceptron (η = 1): the weights of each class, and how many mistakes."""
    W, mistakes = {k: [0.0] * (len(X[0]) + 1) for k in classes}, 0
    total = {k: [Fraction(0)] * (len(X[0]) + 1) for k in classes}
    for _ in range(epochs):
        for x, label in zip(X, labels, strict=True):
            score = {k: exact_dot(W[k], x) for k in classes}
            others = [k for k in classes if k != label]
            rival = max(others, key=lambda k, score=score: score[k])
            if score[label] <= score[rival]:
                W[label] = [a + b for a, b in zip(W[label], [*x, 1.0], strict=True)]
                W[rival] = [a - b for a, b in zip(W[rival], [*x, 1.0], strict=True)]
                mistakes += 1
            for k in classes:
                total[k] = [a + Fraction(b) for a, b in zip(total[k], W[k], strict=True)]
    rounds = epochs * len(X)
    return [[value / rounds for value in total[k]] for k in classes], mistakes


def kernel_perceptron(K, y, *, epochs, bias=1.0, tie="mistake"):
    """The dual perceptron on a Gram matrix (η = 1): (coefficients, scores, mistaken rows)."""
    n = len(K)
    coef, scores, mistaken = [0.0] * n, [0.0] * n, []
    for _ in range(epochs):
        for i in range(n):
            if is_mistake(scores[i], y[i], tie):
                coef[i] += y[i]
                scores = [s + y[i] * (k + bias) for s, k in zip(scores, K[i], strict=True)]
                mistaken.append(i)
    return coef, scores, mistaken


def forgetron(K, y, *, budget, epochs, bias=1.0):
    """Dekel, Shalev-Shwartz and Singer's self-tuned Forgetron, the oldest entry first.

    Returns the entries [row, coefficient], and for each mistake (Q, number of mistakes so far).
    """
    n, scale, Q, M = len(K), 0.0, 0.0, 0
    scores, entries, books = [0.0] * n, [], []
    for _ in range(epochs):
        for i in range(n):
            if not is_mistake(scores[i], y[i], "mistake"):
                continue
            M, scale = M + 1, max(scale, K[i][i] + bias)
            entries.append([i, float(y[i])])
            scores = [s + y[i] * (k + bias) for s, k in zip(scores, K[i], strict=True)]
            if len(entries) > budget:
                r, coef = entries[0]
                sigma, mu = abs(coef), scores[r] * (1 if coef > 0 else -1) / scale
                phi = greatest_shrinking(sigma, mu, 15 / 32 * M - Q)
                Q += sigma * phi * (sigma * phi + 2 - 2 * mu * phi)
                entries = [[row, c * phi] for row, c in entries]
                scores = [s * phi for s in scores]
                r, coef = entries.pop(0)
                scores = [s - coef * (k + bias) for s, k in zip(scores, K[r], strict=True)]
            books.append((Q, M))
    return entries, books


def greatest_shrinking(sigma, mu, allowance):
    """The greatest φ ≤ 1 with σ²φ² + 2σφ − 2σμφ² ≤ allowance: solve the quadratic."""
    a, b = sigma * sigma - 2 * sigma * mu, 2 * sigma
    if a + b <= allowance:
        return 1.0
    return 2 * allowance / (b + (b * b + 4 * a * allowance) ** 0.5)


def can_be_separated(rows):
    """Whether some ŵ has a·ŵ > 0 for all rows a: by Fourier and Motzkin, one weight at a time."""
    rows = [tuple(Fraction(value) for value in row) for row in rows]
    while rows and rows[0]:
        above = [row for row in rows if row[0] > 0]
        below = [row for row in rows if row[0] < 0]
        joined = [
            tuple(b / u[0] - c / v[0] for b, c in zip(u[1:], v[1:], strict=True))
            for u in above
            for v in below
        ]
        rows = [row[1:] for row in rows if row[0] == 0] + list(dict.fromkeys(joined))
    return not rows


def fewest_errors(X, y, *, fit_intercept=True, weights=None):
    """The least weight of rows to give up, and all sets of that weight (of rows that count)."""
    n = len(y)
    weights = [Fraction(1)] * n if weights is None else [Fraction(weight) for weight in weights]
    A = [
        [label * value for value in [*row, *[1] * fit_intercept]]
        for row, label in zip(X, y, strict=True)
    ]
    counting = [i for i in range(n) if weights[i] > 0]
    subsets = [s for k in range(len(counting) + 1) for s in combinations(counting, k)]
    best, sets = None, []
    for given_up in sorted(subsets, key=lambda s: sum(weights[i] for i in s)):
        total = sum((weights[i] for i in given_up), Fraction(0))
        if best is not None and total > best:
            break
        if can_be_separated([A[i] for i in counting if i not in given_up]):
            best = total
            sets.append(given_up)
    return best, sets
