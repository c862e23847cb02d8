"""`novikoff.save` and `novikoff.load`: a fitted estimator as one file, without pickle.

The file is a ZIP archive of `model.json` and of the arrays it names, each a `.npy`. It holds
numbers, texts and the name of one of novikoff's classes: loading it runs nothing that came with it,
and whatever is in it fits together, or is refused, before anything is used.
"""

import os
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from novikoff.core.files import replace_whole
from novikoff.errors import CertificateError, FileError, OptionError
from novikoff.estimators.persistence.archive import read, write
from novikoff.estimators.persistence.checks import check_estimator
from novikoff.estimators.persistence.values import Arrays, decode, encode
from novikoff.estimators.registry import ESTIMATORS, class_of

FORMAT = "novikoff-model"
VERSION = 1


@dataclass(frozen=True)
class Model:
    """An estimator from a file, and what was written about it (plain JSON).

    Examples
    --------
    >>> import novikoff
    >>> unit = novikoff.Perceptron().fit([[0.0], [1.0]], ["low", "high"])
    >>> novikoff.save(unit, "model.novikoff")
    >>> novikoff.models.load_model("model.novikoff").estimator
    Perceptron()
    """

    estimator: Any
    about: Mapping[str, Any] = field(default_factory=dict)


def save(
    estimator: Any, path: str | os.PathLike[str], *, about: Mapping[str, Any] | None = None
) -> None:
    """Write a fitted estimator, and anything in JSON about it, whole or not at all.

    Parameters
    ----------
    estimator : estimator of novikoff
        Fitted.
    path : str or path
        The file.
    about : mapping, optional
        Anything about it that JSON can hold.

    Examples
    --------
    >>> import novikoff
    >>> unit = novikoff.Perceptron().fit([[0.0], [1.0]], ["low", "high"])
    >>> novikoff.save(unit, "model.novikoff", about={"trained": "today"})
    """
    name = type(estimator).__name__
    if ESTIMATORS.get(name) is None or type(estimator) is not class_of(name):
        raise OptionError(
            f"a {name} cannot be saved: only novikoff's estimators can.{_advice(name)}"
        )
    if not any(key.endswith("_") and not key.startswith("_") for key in vars(estimator)):
        raise OptionError(f"this {name} is not fitted yet, so there is nothing to save.")
    arrays: Arrays = {}
    options = estimator.get_params(deep=False)
    state = {key: value for key, value in vars(estimator).items() if key not in options}
    content = {
        "format": FORMAT,
        "version": VERSION,
        "estimator": name,
        "options": {key: encode(value, arrays, key) for key, value in options.items()},
        "state": {key: encode(value, arrays, key) for key, value in state.items()},
        "about": dict(about or {}),
    }
    check_estimator(estimator)  # what could not be loaded again is not written
    with replace_whole(path) as temporary:
        write(temporary, content, arrays)


def _advice(name: str) -> str:
    """What to do with a scikit-learn object that holds one of ours."""
    if name not in ("ColumnTransformer", "FeatureUnion", "Pipeline") and not name.endswith("CV"):
        return ""
    return (
        f" skops saves a whole {name} without pickle: skops.io.dump(estimator, path), and "
        "skops.io.load(path, trusted=skops.io.get_untrusted_types(file=path)) once you have looked "
        "at what these types are (pip install skops)."
    )


def load(path: str | os.PathLike[str]) -> Any:
    """The estimator in a file that `save` wrote.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    estimator
        As it was when it was saved.

    Examples
    --------
    >>> import novikoff
    >>> unit = novikoff.Perceptron().fit([[0.0], [1.0]], ["low", "high"])
    >>> novikoff.save(unit, "model.novikoff")
    >>> novikoff.load("model.novikoff").predict([[2.0]]).tolist()
    ['high']
    """
    return load_model(path).estimator


def load_model(path: str | os.PathLike[str]) -> Model:
    """The estimator in a file, and what was written about it.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    Model
        The estimator, and what was written about it.

    Examples
    --------
    >>> import novikoff
    >>> unit = novikoff.Perceptron().fit([[0.0], [1.0]], ["low", "high"])
    >>> novikoff.save(unit, "model.novikoff", about={"trained": "today"})
    >>> novikoff.models.load_model("model.novikoff").about
    {'trained': 'today'}
    """
    if not isinstance(path, (str, os.PathLike)):
        raise FileError(f"the name of a file was expected; got {type(path).__name__}.")
    path = Path(path)
    if "\0" in str(path) or not path.exists():
        raise FileError(f"{str(path)!r}: no such file.")
    try:
        return _model(*read(path))
    except FileError as error:
        raise FileError(f"{path}: {error}") from error
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror or error}.") from error
    except MALFORMED as error:
        reason = str(error).rstrip(".") or type(error).__name__
        raise FileError(f"{path}: not a whole novikoff model: {reason}.") from error


# What reading damaged archives, JSON, arrays and fields can raise.
MALFORMED = (
    zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, LookupError, TypeError,
    ValueError, AttributeError, ArithmeticError, RuntimeError, SyntaxError, CertificateError,
)  # fmt: skip


def _model(content: Mapping[str, Any], arrays: Arrays) -> Model:
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise FileError("not a novikoff model.")
    if content.get("version") != VERSION:
        raise FileError(
            f"a model of version {content.get('version')!r}, and this program knows {VERSION}."
        )
    name = content["estimator"]
    if name not in ESTIMATORS:
        raise FileError(f"a model of unknown kind {name!r}.")
    options = {key: decode(value, arrays) for key, value in content["options"].items()}
    kind = class_of(name)
    unknown = sorted(options.keys() - kind._get_param_names())
    if unknown:
        raise FileError(f"{name} has no option {unknown[0]!r}.")
    estimator = kind(**options)
    for key, value in content["state"].items():
        if key in options or hasattr(kind, key):
            raise FileError(f"{key!r} cannot be part of a model.")
        setattr(estimator, key, decode(value, arrays))
    check_estimator(estimator)
    if not isinstance(content["about"], dict):
        raise FileError("the notes about the model are not a JSON object.")
    return Model(estimator, content["about"])
