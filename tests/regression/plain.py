"""Every model in plain Python: its rows as the textbook has them, and its log-likelihood."""

from fractions import Fraction
from itertools import combinations
from math import exp, inf, lgamma, log

import numpy as np
from tests.oracles import independent_columns, weak_separator


def rows(model, X, data):
    """(row of A, rows of the data it speaks of), all pairs written out."""
    X = [[Fraction(value) for value in row] for row in X]
    return {
        "logit": binary_rows,
        "binomial": binomial_rows,
        "poisson": count_rows,
        "log-binomial": count_rows,
        "adjacent-category": adjacent_rows,
        "continuation-ratio": continuation_rows,
        "multinomial": multinomial_rows,
        "ordinal": ordinal_rows,
        "conditional": conditional_rows,
        "cox": cox_rows,
    }[model](X, data)


def plus(x):
    return list(x)


def minus(x):
    return [-value for value in x]


def difference(u, v):
    return [a - b for a, b in zip(u, v, strict=True)]


def binary_rows(X, data):
    X = [[1, *x] for x in X]
    return [
        (plus(x) if y else minus(x), {i}) for i, (x, y) in enumerate(zip(X, data["y"], strict=True))
    ]


def binomial_rows(X, data):
    found = []
    for i, (x, y, t) in enumerate(zip(X, data["y"], data["trials"], strict=True)):
        x = [1, *x]
        found += [(plus(x), {i})] * (y > 0) + [(minus(x), {i})] * (y < t)
    return found


def count_rows(X, data):
    found = []
    for i, (x, y) in enumerate(zip(X, data["y"], strict=True)):
        x = [1, *x]
        found += [(minus(x), {i})] + [(plus(x), {i})] * (y > 0)
    return found


def multinomial_rows(X, data):
    classes = sorted(set(data["y"]))
    found = []
    for i, (x, y) in enumerate(zip(X, data["y"], strict=True)):
        x = [1, *x]
        for k in classes:
            if k == y:
                continue
            blocks = [[0] * len(x) for _ in classes]
            blocks[classes.index(y)], blocks[classes.index(k)] = plus(x), minus(x)
            found.append(([value for block in blocks[1:] for value in block], {i}))
    return found


def ordinal_rows(X, data):
    classes = sorted(set(data["y"]))
    last = len(classes) - 1
    found = []
    for i, (x, y) in enumerate(zip(X, data["y"], strict=True)):
        k = classes.index(y)
        if k < last:
            found.append(([*(int(j == k) for j in range(last)), *minus(x)], {i}))
        if k > 0:
            found.append(([*(-int(j == k - 1) for j in range(last)), *x], {i}))
    return found


def adjacent_rows(X, data):
    """log P(own class) − log P(other class), of which log P(k) − log P(k + 1) is θ_k − xβ."""
    classes = sorted(set(data["y"]))
    last = len(classes) - 1
    found = []
    for i, (x, y) in enumerate(zip(X, data["y"], strict=True)):
        logs = [[0] * (last + len(x))]
        for k in range(last):
            logs.append(difference(logs[-1], [*(int(j == k) for j in range(last)), *minus(x)]))
        own = classes.index(y)
        found += [(difference(logs[own], logs[k]), {i}) for k in range(last + 1) if k != own]
    return found


def continuation_rows(X, data):
    """The logit of stopping at class k, once it is reached, is θ_k − xβ."""
    classes = sorted(set(data["y"]))
    last = len(classes) - 1
    found = []
    for i, (x, y) in enumerate(zip(X, data["y"], strict=True)):
        own = classes.index(y)
        for k in range(min(own + 1, last)):
            stops = [*(int(j == k) for j in range(last)), *minus(x)]
            found.append((stops if k == own else minus(stops), {i}))
    return found


def conditional_rows(X, data):
    n = range(len(X))
    return [
        (difference(X[i], X[j]), {i, j})
        for i in n
        for j in n
        if data["y"][i] == 1 and data["y"][j] == 0 and data["strata"][i] == data["strata"][j]
    ]


def at_risk(data, i):
    """Who is at risk when i has its event; i itself as well."""
    t = data["time"][i]
    return [
        j
        for j in range(len(data["time"]))
        if data["strata"][j] == data["strata"][i] and data["entry"][j] < t <= data["time"][j]
    ]


def cox_rows(X, data):
    return [
        (difference(X[i], X[j]), {i, j})
        for i in range(len(X))
        if data["event"][i]
        for j in at_risk(data, i)
        if j != i
    ]


def answer(A):
    """(kind, which rows of A can be moved, what becomes of each coefficient)."""
    on_plane, _ = weak_separator(A)
    moved = [i not in on_plane for i in range(len(A))]
    kind = "complete" if all(moved) else "quasi-complete" if any(moved) else "none"
    return kind, moved, estimates(A)


def estimates(A):
    """What becomes of each coefficient: of a direction β with Aβ ≥ 0, which can be > 0 or < 0?"""
    kept = independent_columns(A)
    reduced = [[row[j] for j in kept] for row in A]
    found = ["aliased"] * len(A[0])
    for at, j in enumerate(kept):
        unit = [int(k == at) for k in range(len(kept))]
        up, down = (len(A) not in weak_separator([*reduced, row])[0] for row in (unit, minus(unit)))
        found[j] = {
            (False, False): "finite",
            (True, False): "+∞",
            (False, True): "−∞",
            (True, True): "not determined",
        }[up, down]
    return found


def dot(u, v):
    return sum(a * b for a, b in zip(u, v, strict=True))


def log_likelihood(model, X, data, beta):
    """The log-likelihood (Cox: Breslow's partial one), as it is defined."""
    X = [[float(value) for value in row] for row in X]
    if model in ("conditional", "cox"):
        eta = [dot(x, beta) for x in X]
        return (conditional_likelihood if model == "conditional" else cox_likelihood)(eta, data)
    if model == "ordinal":
        return ordinal_likelihood(X, data, beta)
    if model in ("adjacent-category", "continuation-ratio"):
        return likelihood_of_classes(model, X, data, beta)
    X = [[1.0, *x] for x in X]
    if model == "multinomial":
        return multinomial_likelihood(X, data, beta)
    eta = [dot(x, beta) for x in X]
    if model == "log-binomial":
        return sum(e if y else log(1 - exp(e)) for e, y in zip(eta, data["y"], strict=True))
    if model == "logit":
        return sum(log_sigmoid(e if y else -e) for e, y in zip(eta, data["y"], strict=True))
    if model == "binomial":
        return sum(
            y * log_sigmoid(e) + (t - y) * log_sigmoid(-e) + lgamma(t + 1) - lgamma(y + 1)
            - lgamma(t - y + 1)
            for e, y, t in zip(eta, data["y"], data["trials"], strict=True)
        )  # fmt: skip
    return sum(y * e - exp(e) - lgamma(y + 1) for e, y in zip(eta, data["y"], strict=True))


def derivatives(model, X, data, beta, places, h=1e-3):
    """The gradient and the Hessian of the log-likelihood in some coefficients, by differences."""

    def at(*moves):
        moved = list(beta)
        for place, step in moves:
            moved[place] += step
        return log_likelihood(model, X, data, moved)

    gradient = [(at((j, h)) - at((j, -h))) / (2 * h) for j in places]
    hessian = [
        [
            (at((j, h), (k, h)) - at((j, h), (k, -h)) - at((j, -h), (k, h)) + at((j, -h), (k, -h)))
            / (4 * h * h)
            for k in places
        ]
        for j in places
    ]
    return np.array(gradient), np.array(hessian)


def log_sigmoid(eta):
    return -float(np.logaddexp(0, -eta))


def multinomial_likelihood(X, data, beta):
    classes, p = sorted(set(data["y"])), len(X[0])
    total = 0.0
    for x, y in zip(X, data["y"], strict=True):
        eta = [0.0] + [dot(x, beta[k * p : (k + 1) * p]) for k in range(len(classes) - 1)]
        total += eta[classes.index(y)] - float(np.logaddexp.reduce(eta))
    return total


def ordinal_likelihood(X, data, beta):
    classes = sorted(set(data["y"]))
    theta = [-inf, *beta[: len(classes) - 1], inf]
    total = 0.0
    for x, y in zip(X, data["y"], strict=True):
        k, eta = classes.index(y), dot(x, beta[len(classes) - 1 :])
        upper, lower = theta[k + 1] - eta, theta[k] - eta
        if lower > 0:
            upper, lower = -lower, -upper
        total += log(sigmoid(upper) - sigmoid(lower))
    return total


def likelihood_of_classes(model, X, data, beta):
    """Of the probabilities of the classes, from their definitions."""
    classes = sorted(set(data["y"]))
    last = len(classes) - 1
    total = 0.0
    for x, y in zip(X, data["y"], strict=True):
        eta = [beta[k] - dot(x, beta[last:]) for k in range(last)]
        if model == "adjacent-category":
            logs = [sum(eta[k:]) for k in range(last + 1)]
            total += logs[classes.index(y)] - float(np.logaddexp.reduce(logs))
            continue
        own = classes.index(y)
        total += sum(log_sigmoid(-eta[k]) for k in range(own))
        total += log_sigmoid(eta[own]) if own < last else 0.0
    return total


def sigmoid(eta):
    return exp(log_sigmoid(eta)) if eta != inf else 1.0


def conditional_likelihood(eta, data):
    total = 0.0
    for stratum in sorted(set(data["strata"])):
        members = [i for i, s in enumerate(data["strata"]) if s == stratum]
        cases = [i for i in members if data["y"][i] == 1]
        sums = [sum(eta[i] for i in chosen) for chosen in combinations(members, len(cases))]
        total += sum(eta[i] for i in cases) - float(np.logaddexp.reduce(sums))
    return total


def cox_likelihood(eta, data):
    return sum(
        eta[i] - float(np.logaddexp.reduce([eta[j] for j in at_risk(data, i)]))
        for i in range(len(eta))
        if data["event"][i]
    )
