"""Small random data for each model: few values, so that all kinds of separation happen."""

import numpy as np

MODELS = ("logit", "binomial", "poisson", "multinomial", "ordinal", "conditional", "cox")
MORE = ("log-binomial", "adjacent-category", "continuation-ratio")  # which statsmodels has not


def random_data(model, seed):
    """(X, the parts of the outcome), integers all of them."""
    rng = np.random.default_rng([seed, [*MODELS, *MORE].index(model)])
    n, d = int(rng.integers(4, 9)), int(rng.integers(1, 3))
    X = rng.integers(-1, 2, (n, d)) * rng.integers(1, 4)
    if rng.random() < 0.3:  # dummies and aliased columns
        X = (X > 0).astype(int)
    if rng.random() < 0.2:
        X[:, -1] = X[:, 0]
    noisy = np.rint(X[:, 0] + rng.normal(0, 0.6, n)).astype(int)
    if model in ("logit", "log-binomial"):
        data = {"y": (noisy > 0).astype(int)}
    elif model == "binomial":
        trials = rng.integers(1, 4, n)
        data = {"y": np.clip(noisy + rng.integers(0, 2, n), 0, trials), "trials": trials}
    elif model == "poisson":
        data = {"y": np.maximum(noisy, 0)}
    elif model == "multinomial":
        X = X[:, :1]
        data = {"y": np.clip(noisy, 0, 2)}
        data["y"][:2] = [0, 2]
    elif model == "adjacent-category":  # four classes, of which the outer ones ask about 3x
        data = {"y": np.clip(noisy + 1, 0, 3)}
        data["y"][:2] = [0, 3]
    elif model in ("ordinal", "continuation-ratio"):
        data = {"y": np.clip(noisy, 0, 2)}
        data["y"][:2] = [0, 2]
    elif model == "conditional":
        data = {"y": (noisy > 0).astype(int), "strata": rng.integers(0, 2, n)}
        data["y"][:2], data["strata"][:2] = [0, 1], 0
    else:
        time = rng.integers(2, 6, n)
        data = {
            "time": time,
            "event": rng.integers(0, 2, n),
            "entry": np.where(rng.random(n) < 0.5, rng.integers(0, time), 0),
            "strata": rng.integers(0, 2, n),
        }
        data["event"][0], data["strata"][:2], data["time"][:2] = 1, 0, [2, 4]
        data["entry"][:2] = 0
    return X, {part: values.tolist() for part, values in data.items()}
