"""A long run that survives: `fit(checkpoint=path)` writes where it is, and goes on from there.

What is kept is all that a run carries between two epochs: its state (arrays), the mistakes of each
epoch so far, the random state, and why the last call returned. The file says which data and which
options it belongs to, and is refused for others.
"""

import hashlib
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.core.files import read_checksummed, write_checksummed
from novikoff.errors import FileError, OptionError
from novikoff.learners.run import STATUS_OF
from novikoff.matrix.batches import Batches
from novikoff.matrix.problem import Matrix

MAGIC = b"novikoff-run\n"
SECONDS_BETWEEN = 5.0
# Options that may change between two parts of a run.
FREE = ("max_iter", "verbose", "n_jobs", "warm_start", "random_state")


def digest_of(matrix: Matrix, index: NDArray[np.intp], weights: NDArray[np.float64] | None) -> str:
    """A hash of the data of a run."""
    sha = hashlib.blake2b(digest_size=16)
    arrays = [matrix.data, matrix.indices, matrix.indptr] if sp.issparse(matrix) else [matrix]
    for array in [*arrays, index, *([] if weights is None else [weights])]:
        sha.update(f"{array.dtype.str}{array.shape}".encode())
        sha.update(np.ascontiguousarray(array).view(np.uint8).reshape(-1).data)
    return sha.hexdigest()


def digest_of_batches(batches: Batches) -> str:
    """A hash of the data of a run over batches: a pass over all of them."""
    sha = hashlib.blake2b(digest_size=16)
    for batch in batches:
        index = np.searchsorted(batches.labels, batch.y)
        sha.update(digest_of(batch.X, index, batch.weights).encode())
    return sha.hexdigest()


class CheckpointFile:
    """The file of a run: each of its parts (one a class, and more) has a place there."""

    def __init__(
        self, path: str | os.PathLike[str], learner: str, options: Mapping[str, Any], data: str
    ) -> None:
        self.path = Path(path)
        shown = {name: repr(value) for name, value in options.items() if name not in FREE}
        self._about: dict[str, Any] = {"learner": learner, "options": shown, "data": data}
        self._parts: dict[str, dict[str, Any]] = {}
        self._arrays: dict[str, NDArray[Any]] = {}
        self._lock, self._last = threading.Lock(), time.monotonic()
        if self.path.exists():
            self._read()

    def _read(self) -> None:
        header, self._arrays = read_checksummed(self.path, MAGIC, "a checkpoint of a fit")
        with self._known_format():
            self._parts = dict(header["parts"])
            found = {name: header[name] for name in self._about}
        for name, value in found.items():
            if value != self._about[name]:
                what = "other data" if name == "data" else f"{name} {value}"
                raise OptionError(
                    f"{self.path}: the checkpoint of a run with {what}: give the same data and "
                    "options, or another file (checkpoint, --checkpoint)."
                )

    @contextmanager
    def _known_format(self) -> Iterator[None]:
        """What is not in the file, or not of its kind, was written by another version."""
        try:
            yield
        except FileError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise FileError(
                f"{self.path}: the checkpoint of another version of novikoff, which this one "
                "cannot go on from: go on with that version, or name another file (checkpoint, "
                "--checkpoint) and start anew."
            ) from error

    def restore(
        self, part: str, state: Any, random_state: np.random.RandomState
    ) -> tuple[NDArray[np.int64], int | None]:
        """Put a part back where it was: the mistakes of its epochs, and why it had returned.

        The arrays of `state` are filled in place; a part that never began is left as it is.
        """
        if part not in self._parts:
            return np.zeros(0, np.int64), None
        with self._known_format():
            return self._restore(part, state, random_state)

    def _restore(
        self, part: str, state: Any, random_state: np.random.RandomState
    ) -> tuple[NDArray[np.int64], int]:
        kept, mistakes = self._parts[part], self._arrays[f"{part}/calendar"]
        outcome = kept["outcome"]
        if outcome not in STATUS_OF or mistakes.dtype != np.int64 or mistakes.ndim != 1:
            raise ValueError("no outcome of a run")
        for name, array in arrays_in(state).items():
            saved = self._arrays[f"{part}/{name}"]
            if saved.dtype != array.dtype or saved.ndim != array.ndim:
                raise TypeError(f"{name} is of another kind")
            # A list that grows with the run has more room when max_iter is greater.
            if saved.shape != array.shape and (array.ndim != 1 or len(saved) > len(array)):
                raise FileError(f"{self.path}: {name} does not fit: max_iter may not be less.")
            array[: len(saved)] = saved
        algorithm, place, has_gauss, gauss = kept["dice"]
        random_state.set_state((algorithm, self._arrays[f"{part}/dice"], place, has_gauss, gauss))
        return mistakes, outcome

    def keep(
        self,
        part: str,
        state: Any,
        random_state: np.random.RandomState,
        mistakes_per_epoch: NDArray[np.int64],
        outcome: int,
        *,
        now: bool,
    ) -> None:
        """Remember where a part is, and write it down if it is time (or `now`)."""
        with self._lock:
            late = time.monotonic() - self._last >= SECONDS_BETWEEN
            if not (now or late):
                return
            saved = {name: array.copy() for name, array in arrays_in(state).items()}
            numbers: Any = random_state.get_state(legacy=True)
            algorithm, keys, place, has_gauss, gauss = numbers
            saved |= {"dice": keys.copy(), "calendar": mistakes_per_epoch.copy()}
            self._arrays |= {f"{part}/{name}": array for name, array in saved.items()}
            self._parts[part] = {
                "outcome": outcome,
                "dice": [algorithm, int(place), int(has_gauss), float(gauss)],
            }
            write_checksummed(self.path, MAGIC, self._about | {"parts": self._parts}, self._arrays)
            self._last = time.monotonic()


def read_run(path: Path) -> tuple[dict[str, Any], dict[str, list[int]]]:
    """What a checkpoint says of its run, and the mistakes of each epoch of each of its parts."""
    header, arrays = read_checksummed(path, MAGIC, "a checkpoint of a fit")
    parts = {name: arrays[f"{name}/calendar"].tolist() for name in header["parts"]}
    return header, parts


def arrays_in(state: Any, name: str = "state") -> dict[str, NDArray[Any]]:
    """The arrays of a NamedTuple, and of those inside it, by their names."""
    if isinstance(state, np.ndarray):
        return {name: state}
    found: dict[str, NDArray[Any]] = {}
    if isinstance(state, tuple) and hasattr(state, "_fields"):
        for field in state._fields:
            found |= arrays_in(getattr(state, field), f"{name}.{field}")
    return found
