"""A stream that survives: a folder with a checkpoint and the journal of what came after it.

After `kill -9` at any moment, opening the folder again gives the learner, its counts and the next
input position of a run that was never interrupted, up to the last example that was acknowledged.

A checkpoint is an online learner as one file: its options, its names, all that it learned.
"""

import fcntl
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from novikoff import _core
from novikoff.core.files import Arrays, read_checksummed, write_checksummed, write_errors
from novikoff.core.options import check_count
from novikoff.errors import FileError, OptionError
from novikoff.learners import online
from novikoff.stream.classifier import OnlineClassifier
from novikoff.stream.journal import Place, Record, StreamJournal, create_journal, open_journal
from novikoff.stream.names import Vocabulary, names_of
from novikoff.stream.online import (
    OnlineAveragedPerceptron,
    OnlinePerceptron,
    OnlinePocketPerceptron,
)

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
    return write_checksummed(path, MAGIC, header, learner._arrays())


def read_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """The learner in a file, ready to go on; an error if a single byte is not what was written."""
    header, arrays = read_checksummed(path, MAGIC, "a checkpoint of a stream")
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


CHECKPOINT, LOCK = "checkpoint", "lock"
# A checkpoint is written when the journal is longer than this, and than four checkpoints.
SHORTEST_JOURNAL = 1 << 20
# Bytes of records that wait at most, whatever was asked for.
MOST_WAITING = 1 << 20


class DurableStream:
    """A learner in a folder: what it has acknowledged is never lost.

    Parameters
    ----------
    folder
        Where checkpoint and journal are; made if it is not there, gone on with if it is.
    learner
        The learner to start with. If the folder has one, its options must be the same (or leave
        `learner` out).
    sync : int, default=1
        Examples are acknowledged in groups of so many, each group when it is on disk. With 0 they
        are written but not waited for: safe from a killed process, not from a power failure.
    about : dict, optional
        Anything in JSON that must be the same when the run is resumed.

    If something cannot be written (`FileError`), the example has been learned all the same, but it
    is not acknowledged: go on with the next one when there is room, or open the folder again.

    `notes` is a dict for anything in JSON that is found out on the way; it is kept with the next
    checkpoint.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        learner: OnlineClassifier | None = None,
        *,
        sync: int = 1,
        about: Mapping[str, Any] | None = None,
    ) -> None:
        if sync != 0:
            check_count("sync", sync)
        self.folder, self.sync = Path(folder), int(sync)
        self.place = Place(0)
        self._pending = self._names_written = self._generation = 0
        self._moved = False
        self._checkpoint_size, self._about = 0, dict(about or {})
        self.notes: dict[str, Any] = {}
        self._lock = _lock(self.folder)
        try:
            if (self.folder / CHECKPOINT).exists():
                self.resumed = True
                self._resume(learner, about)
            elif learner is None:
                raise FileError(
                    f"{self.folder}: no stream is kept there: give a learner to start one."
                )
            else:
                self.resumed = False
                self.learner: OnlineClassifier = learner
                self._journal: StreamJournal = create_journal(self._journal_path(0), 0)
                self._write_checkpoint(0)
        except BaseException:
            os.close(self._lock)
            raise

    def learn(
        self, x: Any, y: Any, place: Place, *, before: Callable[[], None] = lambda: None
    ) -> bool:
        """Learn from one example; `place` is where the stream stands after it.

        Returns whether it was a mistake. It is acknowledged when `acknowledged` says so: at once
        with `sync=1`, with its group otherwise. `before` is called before a group is written down.
        """
        learner = self.learner
        sign = learner._sign(y)
        row = learner._row_for(x)
        wrong = learner._learn_row(row, sign, x)
        self.place = place
        if wrong or self._keeps_all:
            self._append(int(sign), row)
        self._pending += 1
        if self._pending >= (self.sync or 1000) or self._journal.waiting > MOST_WAITING:
            before()
            self.acknowledge()
        return wrong

    @property
    def acknowledged(self) -> bool:
        """Whether everything learned so far has been acknowledged."""
        return self._pending == 0

    def pass_over(self, place: Place) -> None:
        """A line of the input that is no example: go past it."""
        self.place = place
        self._moved = True

    def acknowledge(self) -> None:
        """Write down how far the stream has come, on disk unless `sync` is 0."""
        if not self._pending and not self._moved:
            return
        if self._journal.is_torn:  # there was no room: a checkpoint has what is not written there
            self.checkpoint()
            return
        self._append()
        self._journal.write(durable=self.sync > 0)
        self._pending, self._moved = 0, False
        if self._journal.size > max(SHORTEST_JOURNAL, 4 * self._checkpoint_size):
            self.checkpoint()

    def checkpoint(self) -> None:
        """Write the learner as it is now, and begin a new journal.

        What waits for the old journal is not written there: the checkpoint has it, and `notes`.
        """
        old, generation = self._journal, self._generation + 1
        journal = create_journal(self._journal_path(generation), generation)
        try:
            self._write_checkpoint(generation)
        except BaseException:
            journal.close()
            journal.path.unlink(missing_ok=True)
            raise
        self._journal, self._generation = journal, generation
        self._pending, self._moved = 0, False
        old.close()
        old.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Acknowledge everything, write a checkpoint, and let go of the folder."""
        try:
            self.checkpoint()
        finally:
            self._journal.close()
            os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, OSError | FileError):  # what is on disk is whole: leave it so
            self._journal.close()
            os.close(self._lock)
        else:
            self.close()

    @property
    def _keeps_all(self) -> bool:
        """Whether right examples matter too: they enter the window, or the pocket's runs."""
        return self.learner.keep_rows or self.learner._kind == online.POCKET

    def _append(self, sign: int = 0, row: Any = None) -> None:
        names = self.learner._names
        fresh: tuple[Any, ...] = ()
        if isinstance(names, Vocabulary) and names.size > self._names_written:
            fresh = tuple(names.names[self._names_written :])
            for name in fresh:
                if not isinstance(name, str):
                    raise OptionError(f"only names that are texts can be kept; one is {name!r}.")
            self._names_written = names.size
        numbers, counts = self.learner._numbers, self.learner._counts
        self._journal.append(
            Record(
                int(counts[online.EXAMPLES]),
                float(numbers[online.RADIUS]),
                self.place,
                sign,
                row,
                fresh,
            )
        )

    def _journal_path(self, generation: int) -> Path:
        return self.folder / f"journal-{generation}"

    def _write_checkpoint(self, generation: int) -> None:
        told = {"place": self.place, "about": self._about, "notes": self.notes}
        path = self.folder / CHECKPOINT
        self._checkpoint_size = write_checkpoint(
            self.learner, path, about={"generation": generation, **told}
        )
        names = self.learner._names
        self._names_written = names.size if isinstance(names, Vocabulary) else 0

    def _resume(self, given: OnlineClassifier | None, about: Mapping[str, Any] | None) -> None:
        kept = read_checkpoint(self.folder / CHECKPOINT)
        self.learner, told = kept.learner, kept.about
        if given is not None:
            _check_same(given, self.learner, self.folder)
        if about is not None and dict(about) != told["about"]:
            raise OptionError(
                f"{self.folder}: this stream was started with other options: {told['about']}, "
                f"and not {dict(about)}. Give the same ones, or another folder."
            )
        self._about, self.notes = told["about"], told["notes"]
        self.place = Place(*told["place"])
        self._generation = told["generation"]
        names = self.learner._names
        self._names_written = names.size if isinstance(names, Vocabulary) else 0
        self._checkpoint_size = (self.folder / CHECKPOINT).stat().st_size
        path = self._journal_path(self._generation)
        records, self._journal = open_journal(path, self._generation)
        for record in records:
            self._replay(record, path)
        # What a process left that was killed while it went from one checkpoint to the next.
        for other in self.folder.glob("journal-*"):
            if other != path:
                other.unlink(missing_ok=True)

    def _replay(self, record: Record, path: Path) -> None:
        learner = self.learner
        learner._add_names(record.names)
        self._names_written += len(record.names)
        examples = int(learner._counts[online.EXAMPLES])
        rights = record.examples - examples - (record.row is not None)
        if rights < 0 or (rights and self._keeps_all):
            raise FileError(f"{path}: damaged: example {record.examples} is out of order.")
        _core.pass_over_right_ones(learner._counts, rights)
        if record.row is not None:
            wrong = learner._learn_row(record.row, float(record.sign))
            if not wrong and not self._keeps_all:
                raise FileError(f"{path}: damaged: example {record.examples} is not a mistake.")
        learner._numbers[online.RADIUS] = record.radius
        self.place = record.place


def _lock(folder: Path) -> int:
    """Make the folder, and see to it that nobody else writes there."""
    with write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise FileError(f"{folder}: another process is learning there.") from error
    return handle


def _check_same(given: OnlineClassifier, kept: OnlineClassifier, folder: Path) -> None:
    pairs = [("learner", type(given).__name__, type(kept).__name__)]
    pairs += [(name, getattr(given, name), getattr(kept, name)) for name in OPTIONS]
    for name, asked, there in pairs:
        if asked != there:
            raise OptionError(
                f"{folder}: the stream kept there has {name} {there!r}, and not {asked!r}: "
                "give the same options, or another folder."
            )
