"""Newton's method for the likelihoods of statsmodels, with another one to bring it near."""

import warnings
from typing import Any

import numpy as np

__all__ = ["newton"]


def newton(model: Any, options: dict[str, Any], **start: Any) -> Any:
    """The fit by Newton's method, the most exact one, if `options` ask for no other.

    Far from the estimate its matrix may be singular, or it may run away. Then BFGS goes there, and
    Newton's method takes the last steps.
    """
    if "method" in options:
        return model.fit(**start, **{"disp": 0, **options})
    steps = {"maxiter": 100, **start, "disp": 0, **options}
    found = _tried(model, {**steps, "method": "newton"})
    if _has_converged(found):
        return found
    near = _tried(model, {**steps, "method": "bfgs", "maxiter": max(1000, steps["maxiter"])})
    if not _has_converged(near):
        return model.fit(**{**steps, "method": "bfgs"})  # with the warnings that it deserves
    last = _tried(model, {**steps, "method": "newton", "start_params": np.asarray(near.params)})
    return last if _has_converged(last) else near


def _tried(model: Any, steps: dict[str, Any]) -> Any:
    """A fit; None if it met a singular matrix."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return model.fit(**steps)
        except np.linalg.LinAlgError:
            return None


def _has_converged(found: Any) -> bool:
    if found is None or not np.isfinite(found.params).all():
        return False
    return bool(getattr(found, "mle_retvals", {"converged": True})["converged"])
