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
    A = signed_rows(X, y, fit_intercept)
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
    """The rank of a list of vectors."""
    span = Span()
    return sum(span.add(vector) for vector in vectors)


def separability(X, y, fit_intercept=True):
    """ "separable", "touching" or "overlapping"."""
    return faces(X, y, fit_intercept)[0]


def faces(X, y, fit_intercept=True):
    """The verdict, and the rows on the plane of every weak separator."""
    on_plane, _ = weak_separator(signed_rows(X, y, fit_intercept))
    word = {0: "separable", len(y): "overlapping"}.get(len(on_plane), "touching")
    return word, on_plane


def signed_rows(X, y, fit_intercept=True):
    """The rows yᵢx̂ᵢ as fractions."""
    return [
        [label * Fraction(value) for value in [*row, *[1] * fit_intercept]]
        for row, label in zip(X, y, strict=True)
    ]


def weak_separator(A):
    """The rows that every β with Aβ ≥ 0 is 0 on, and a β that is > 0 on all others.

    Round by round: some α ≥ 0 with Aᵀα = 0 has a row that is not known yet in it, or a β is > 0 on
    all of these. Every answer is checked, so that no mistake of the simplex method goes unseen.
    """
    A = [list(map(Fraction, row)) for row in A]
    kept = independent_columns(A)
    scale = [lcm(*(row[j].denominator for row in A)) for j in kept]
    whole = [[int(row[j] * s) for j, s in zip(kept, scale, strict=True)] for row in A]
    equal = [[row[j] for row in whole] for j in range(len(kept))]
    inequalities = equal + [[-value for value in row] for row in equal]
    span = Span()
    while True:
        others = [i for i, row in enumerate(whole) if row not in span]
        beta = [Fraction(0)] * len(A[0])
        if not others:
            return list(range(len(A))), beta
        cost = [int(i in others) for i in range(len(A))]
        right = [0] * len(inequalities) + [1]
        best, alpha, dual = simplex([*inequalities, cost], right, cost)
        if best == 0:
            for k, j in enumerate(kept):
                beta[j] = (dual[k] - dual[k + len(kept)]) * scale[k]
            assert all((dot(row, beta) > 0) == (i in others) for i, row in enumerate(A))
            assert all(dot(row, beta) == 0 for i, row in enumerate(A) if i not in others)
            return [i for i in range(len(A)) if i not in others], beta
        assert min(alpha) >= 0
        assert not any(dot(column, alpha) for column in equal)
        joined = [i for i in others if alpha[i]]
        assert joined
        for i, value in enumerate(alpha):
            if value:
                span.add(whole[i])


def independent_columns(A):
    """The columns that are no combination of those before them."""
    span = Span()
    return [j for j in range(len(A[0])) if span.add([row[j] for row in A])]


class Span:
    """The vectors that are combinations of some, which are kept in echelon form."""

    def __init__(self):
        self.rows = {}

    def rest(self, vector):
        """What is left of a vector when the others are taken out."""
        vector = list(map(Fraction, vector))
        for lead, row in self.rows.items():
            if vector[lead]:
                factor = vector[lead] / row[lead]
                vector = [a - factor * b for a, b in zip(vector, row, strict=True)]
        return vector

    def __contains__(self, vector):
        return not any(self.rest(vector))

    def add(self, vector):
        """Whether the vector is new."""
        rest = self.rest(vector)
        lead = next((j for j, value in enumerate(rest) if value), None)
        if lead is not None:
            self.rows[lead] = rest
        return lead is not None


def simplex(rows, right, cost):
    """The maximum of cost·z over rows·z ≤ right, z ≥ 0, with integers and right ≥ 0; z; the dual.

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
            z = [Fraction(0)] * (len(cost) + m)
            for i, j in enumerate(basis):
                z[j] = Fraction(table[i][-1], denominator)
            dual = [Fraction(value, denominator) for value in table[m][len(cost) : -1]]
            return Fraction(table[m][-1], denominator), z[: len(cost)], dual
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


def nearest_point(A):
    """The point nearest to 0 in the hull of some points: Wolfe's method, in fractions.

    Checked at the end: no point of the hull is on the near side of the plane through what is found.
    """
    A = [list(map(Fraction, row)) for row in A]
    shares = {min(range(len(A)), key=lambda i: dot(A[i], A[i])): Fraction(1)}
    while True:
        x = [sum(s * A[i][j] for i, s in shares.items()) for j in range(len(A[0]))]
        entering = min(range(len(A)), key=lambda i: dot(A[i], x))
        if dot(A[entering], x) >= dot(x, x):
            assert sum(shares.values()) == 1
            assert min(shares.values()) > 0
            return x
        shares[entering] = Fraction(0)
        while True:
            rows = list(shares)
            gram = [[dot(A[i], A[k]) for k in rows] + [Fraction(1)] for i in rows]
            gram.append([*[Fraction(1)] * len(rows), Fraction(0)])
            wanted = solved(gram, [*[Fraction(0)] * len(rows), Fraction(1)])
            assert wanted is not None
            target = dict(zip(rows, wanted, strict=False))
            if min(target.values()) > 0:
                shares = target
                break
            step = min(shares[i] / (shares[i] - target[i]) for i in rows if target[i] <= 0)
            shares = {i: shares[i] + step * (target[i] - shares[i]) for i in rows}
            shares = {i: value for i, value in shares.items() if value > 0}


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


def fewest_errors(X, y, *, fit_intercept=True, weights=None):
    """The least weight of rows to give up, and all sets of that weight (of rows that count)."""
    n = len(y)
    weights = [Fraction(1)] * n if weights is None else [Fraction(weight) for weight in weights]
    A = signed_rows(X, y, fit_intercept)
    counting = [i for i in range(n) if weights[i] > 0]
    subsets = [s for k in range(len(counting) + 1) for s in combinations(counting, k)]
    best, sets = None, []
    for given_up in sorted(subsets, key=lambda s: sum(weights[i] for i in s)):
        total = sum((weights[i] for i in given_up), Fraction(0))
        if best is not None and total > best:
            break
        left = [A[i] for i in counting if i not in given_up]
        if not left or not weak_separator(left)[0]:
            best = total
            sets.append(given_up)
    return best, sets
