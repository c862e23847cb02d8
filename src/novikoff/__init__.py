"""Linear classification with proofs: can a line separate these, and can you prove it?"""

import sys
from typing import Any

import lazy_loader

__version__ = "1.0.0"

# The public names are listed in `__init__.pyi`, for people, type checkers and editors. Nothing is
# imported before it is asked for: scikit-learn alone takes longer to load than most commands run.
_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        message = f"module 'novikoff' has no attribute {name!r}"
        raise AttributeError(message, name=name, obj=sys.modules[__name__])
    return _load(name)
