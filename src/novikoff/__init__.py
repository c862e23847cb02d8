"""Linear classification with proofs: can a line separate these, and can you prove it?"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Where each public name lives. Nothing is imported before it is asked for: scikit-learn alone takes
# longer to load than most commands take to run.
_HOMES = {
    "AveragedPerceptron": "estimators.averaged",
    "Certificate": "certificates.certificate",
    "Explanation": "explain.explain",
    "Interval": "verdicts.verdict",
    "KernelPerceptron": "estimators.kernel",
    "NovikoffError": "errors",
    "Overlapping": "verdicts.verdict",
    "Perceptron": "estimators.perceptron",
    "PocketPerceptron": "estimators.pocket",
    "ReluNetwork": "estimators.network",
    "Separable": "verdicts.verdict",
    "Status": "learners.status",
    "Touching": "verdicts.verdict",
    "Trace": "theory.trace",
    "Undecided": "verdicts.verdict",
    "Verification": "certificates.verify",
    "VotedPerceptron": "estimators.voted",
    "augment": "theory.reductions",
    "diagnose": "explain.diagnose",
    "explain_verdict": "explain.explain",
    "inequalities": "theory.inequalities",
    "into_unit_ball": "theory.reductions",
    "lift_until_separable": "estimators.lifts",
    "list_datasets": "data.datasets",
    "load": "models.store",
    "load_dataset": "data.datasets",
    "margins": "theory.bounds",
    "mistake_bound": "decide",
    "mistake_bound_of": "theory.bounds",
    "radius": "theory.bounds",
    "read": "data.reading",
    "read_trace": "theory.trace_table",
    "save": "models.store",
    "separate": "decide",
    "to_positive_side": "theory.reductions",
    "trace": "theory.trace",
    "training_error": "theory.bounds",
    "verify": "certificates.verify",
    "why_not": "explain.why_not",
}

__all__ = sorted(_HOMES)


# Rooms of the house that are used by their own name: novikoff.figures.plot_verdict(...).
_ROOMS = ("data", "figures", "models", "report")


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"novikoff.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'novikoff' has no attribute {name!r}")
    value = getattr(import_module(f"novikoff.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, *_ROOMS, "__version__"]
