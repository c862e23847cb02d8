"""Linear classification with proofs: can a line separate these, and can you prove it?"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Where each public name lives. Nothing is imported before it is asked for: scikit-learn alone takes
# longer to load than most commands take to run.
_HOMES = {
    "Certificate": "separability.certificate",
    "NovikoffError": "errors",
    "Perceptron": "estimators.perceptron",
    "Status": "learners.status",
    "verify": "separability.verify",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'novikoff' has no attribute {name!r}")
    value = getattr(import_module(f"novikoff.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
