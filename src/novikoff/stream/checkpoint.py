"""An online learner as one file: its options, its names, all that it learned and counted."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from novikoff.errors import FileError, OptionError
from novikoff.sealed import Arrays, read_sealed, write_sealed
from novikoff.stream.classifier import OnlineClassifier
from novikoff.stream.names import names_of
from novikoff.stream.online import (
    OnlineAveragedPerceptron,
    OnlinePerceptron,
    OnlinePocketPerceptron,
)

__all__ = ["Checkpoint", "read_checkpoint", "write_checkpoint"]

MAGIC = b"novikoff-stream\n"
OPTIONS = ("eta0", "tie", "fit_intercept", "classes", "window", "keep_rows", "hashing")
LEARNERS = {
    kind.__name__: kind
    for kind in (OnlinePerceptron, OnlineAveragedPerceptron, OnlinePocketPerceptron)
}


@dataclass(frozen=True)
class Checkpoint:
    """A learner from a file, and what was written about it (plain JSON)."""

    learner: OnlineClassifier
    about: Mapping[str, Any] = field(default_factory=dict)


def write_checkpoint(
    learner: OnlineClassifier,
    path: str | os.PathLike[str],
    *,
    about: Mapping[str, Any] | None = None,
) -> int:
    """Write a learner, and anything in JSON about it, whole or not at all; return the size."""
    header = {
        "learner": type(learner).__name__,
        "options": {name: getattr(learner, name) for name in OPTIONS},
        "names": None if learner._names is None else learner._names.to_dict(),
        "about": dict(about or {}),
    }
    return write_sealed(path, MAGIC, header, learner._arrays())


def read_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """The learner in a file, ready to go on; an error if a single byte is not what was written."""
    header, arrays = read_sealed(path, MAGIC, "a checkpoint of a stream")
    try:
        return _checkpoint(header, arrays)
    except (FileError, OptionError) as error:
        raise type(error)(f"{path}: {error}") from error
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise FileError(
            f"{path}: the checkpoint of another version of novikoff, which this one cannot go on "
            "from: go on with that version, or start anew."
        ) from error


def _checkpoint(header: Mapping[str, Any], arrays: Arrays) -> Checkpoint:
    if header["learner"] not in LEARNERS:
        raise FileError(f"a learner of unknown kind {header['learner']!r}.")
    options = header["options"] | {"classes": tuple(header["options"]["classes"])}
    learner = LEARNERS[header["learner"]](**options)
    if header["names"] is not None:
        learner._names = names_of(header["names"])
    learner._set_arrays(arrays)
    return Checkpoint(learner, header["about"])
