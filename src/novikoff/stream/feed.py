"""From lines to a learner: what `novikoff stream` does with each of them."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from novikoff.core.files import write_errors
from novikoff.core.options import choice
from novikoff.data.delimited import check_delimiter
from novikoff.data.features import FeatureRecipe
from novikoff.data.options import FileLayout
from novikoff.data.source import COMPRESSIONS
from novikoff.errors import DataError, FileError, OptionError
from novikoff.stream.classifier import OnlineClassifier
from novikoff.stream.durable import DurableStream
from novikoff.stream.journal import Place
from novikoff.stream.online import (
    OnlineAveragedPerceptron,
    OnlinePerceptron,
    OnlinePocketPerceptron,
)
from novikoff.stream.parse import (
    Classes,
    CsvLines,
    JsonLines,
    LineParser,
    Lines,
    Quotes,
    StreamColumns,
    SvmlightLines,
)

FORMATS = ("csv", "jsonl", "svmlight")
SUFFIXES = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
    ".svm": "svmlight", ".svmlight": "svmlight", ".libsvm": "svmlight",
}  # fmt: skip
COLUMNAR = (".parquet", ".pq", ".arrow", ".feather", ".ipc", ".arrows", ".npy", ".npz")
LEARNERS: dict[str, type[OnlineClassifier]] = {
    "perceptron": OnlinePerceptron,
    "averaged": OnlineAveragedPerceptron,
    "pocket": OnlinePocketPerceptron,
}
LONGEST_QUOTED = 1 << 16  # bytes: a quote without an end must not take the whole stream with it


@dataclass(frozen=True)
class Settings:
    """The source of a stream and its learner: the same settings when it is resumed."""

    source: str
    format: str | None = None
    label: str | None = None
    classes: tuple[str, ...] = ("-1", "1")
    features: Sequence[str] | None = None
    drop: Sequence[str] = ()
    delimiter: str | None = None
    names: Sequence[str] | None = None
    by_name: bool = False
    hashing: int | None = None
    learner: str = "perceptron"
    eta0: float = 1.0
    tie: Any = "mistake"
    fit_intercept: bool = True
    window: int = 1000
    decimal: str = "."

    @property
    def kind(self) -> str:
        """The format: as the user says, or by the ending of the file."""
        if self.format is not None:
            return choice("format", self.format, FORMATS)
        path = Path(self.source)
        if path.is_dir() or path.suffix.lower() in COLUMNAR:
            raise OptionError(
                f"{self.source}: a stream has lines of CSV, JSON or svmlight; use novikoff fit for "
                "folders and files of columns, which it reads in batches if they are large."
            )
        ending = path.with_suffix("") if path.suffix.lower() in COMPRESSIONS else path
        return SUFFIXES.get(ending.suffix.lower(), "csv")

    def refuse_names(self) -> None:
        """Raise `OptionError` if `novikoff predict` could not read other lines for a learner."""
        if self.kind == "jsonl" or self.by_name or self.hashing is not None:
            raise OptionError(
                "--model: predict needs columns of numbers, but this stream has names: keep its "
                "learner in a folder (--state), and read it from Python."
            )

    def made_learner(self) -> OnlineClassifier:
        """The learner that these settings describe."""
        if len(self.classes) != 2:
            raise OptionError(f"classes names two labels; got {list(self.classes)!r}.")
        return LEARNERS[choice("learner", self.learner, tuple(LEARNERS))](
            eta0=self.eta0,
            tie=self.tie,
            fit_intercept=self.fit_intercept,
            classes=Classes(*self.classes).pair,
            window=self.window,
            hashing=self.hashing,
        )

    def kept(self) -> dict[str, Any]:
        """The settings that must be the same when a stream is resumed, as plain JSON values."""
        told = asdict(self) | {"format": self.kind, "drop": list(self.drop)}
        told |= {"classes": list(self.classes)}
        aside = {"source", "delimiter"} | ({"decimal"} if self.decimal == "." else set())
        return {name: told[name] for name in told if name not in aside}


class Feed:
    """A learner being fed lines: each is parsed, predicted if that is asked for, and learned."""

    def __init__(
        self,
        settings: Settings,
        learner: OnlineClassifier,
        durable: DurableStream | None,
        predictions: BinaryIO | None,
    ) -> None:
        self.settings, self.learner = settings, learner
        self._durable, self._predictions = durable, predictions
        self._place = Place(0) if durable is None else durable.place
        self._classes = Classes(*settings.classes)
        self._parser = self._made_parser()
        self._begins_at = 0
        self._open: list[tuple[bytes, int]] = []  # lines of an example that goes on in the next

    @property
    def resumed(self) -> bool:
        """Whether it goes on with what a folder kept."""
        return self._durable is not None and self._durable.resumed

    @property
    def place(self) -> Place:
        """Where the stream stands."""
        return self._place

    def lines(self, *, follow: bool, patience: float | None, goes_on: bool = False) -> Lines:
        """The lines that have not been learned yet.

        `goes_on`: standard input begins where it stopped, and not at its start.
        """
        at = 0 if goes_on else self._place.position
        self._begins_at = self._place.position - at
        return Lines(self.settings.source, at, follow, patience, self._idle)

    def take(self, line: bytes, ends_at: int, *, skip_bad: bool) -> None:
        """One line of the input, which ends at that byte of what `lines` reads.

        A line that ends within quotes waits for the next. If the quotes have no end, it is bad, and
        those after it are lines of their own.
        """
        if not self._open and self._parser.quotes(line) is not Quotes.OPEN:
            self._take_lines(line, [(line, ends_at)], skip_bad)
            return
        self._open.append((line, ends_at))
        together = b"\n".join(line for line, _ in self._open)
        quotes = self._parser.quotes(together)
        if quotes is Quotes.CLOSED:
            lines, self._open = self._open, []
            self._take_lines(together, lines, skip_bad)
        elif quotes is Quotes.WRONG or len(together) > LONGEST_QUOTED:
            self.finish(skip_bad=skip_bad)

    def finish(self, *, skip_bad: bool) -> None:
        """Nothing comes after the lines that wait: the first of them is what it is."""
        while self._open:
            (first, *others), self._open = self._open, []
            self._take_lines(first[0], [first], skip_bad)
            for line, ends_at in others:
                self.take(line, ends_at, skip_bad=skip_bad)

    def _take_lines(self, line: bytes, lines: list[tuple[bytes, int]], skip_bad: bool) -> None:
        """Learn the example in these lines, put together in `line`."""
        before, ends_at = self._place, self._begins_at + lines[-1][1]
        place = before._replace(position=ends_at, lines=before.lines + len(lines))
        try:
            found = self._parser.parse(line)
            if found is not None:
                self._learn(found[0], self._classes.of(found[1]), place)
                return
        except OptionError as error:
            raise OptionError(f"{self.settings.source}: {error}") from error
        except DataError as error:
            if not skip_bad:
                name = "standard input" if self.settings.source == "-" else self.settings.source
                raise FileError(
                    f"{name}: line {before.lines + 1}: {error} "
                    "Correct the line, or skip such lines (--skip-bad)."
                ) from error
            place = place._replace(skipped=place.skipped + 1)
        self._pass_over(place)

    def _learn(self, x: Any, y: Any, place: Place) -> None:
        written = b""
        if self._predictions is not None:
            written = f"{self.learner.predict(x)}\n".encode()
            place = place._replace(outputs=place.outputs + len(written))
            with self._naming_predictions():
                self._predictions.write(written)
        try:
            if self._durable is None:
                self.learner.learn(x, y)
            else:
                self._durable.learn(x, y, place, before=self._flush)
        except DataError:
            if written and self._predictions is not None:
                self._take_back(len(written))
            raise
        self._place = place

    @property
    def note(self) -> str | None:
        """A note for the user on how the lines are read, once the first one is."""
        return self._parser.note if isinstance(self._parser, CsvLines) else None

    def _take_back(self, size: int) -> None:
        """A prediction was made of an example that could not be learned: it is not one."""
        out = self._predictions
        assert out is not None
        if out.seekable():
            out.seek(-size, os.SEEK_CUR)
            out.truncate()

    def _pass_over(self, place: Place) -> None:
        self._place = place
        if self._durable is not None:
            self._durable.pass_over(place)
            parser, notes = self._parser, self._durable.notes
            if isinstance(parser, CsvLines) and "header" not in notes:
                notes |= {"header": parser.header, "delimiter": parser.delimiter}
                self._durable.checkpoint()

    def _idle(self) -> None:
        """Nothing to read just now: let nobody wait for what is learned already."""
        self._flush()
        if self._durable is not None:
            self._durable.acknowledge()

    def _flush(self) -> None:
        """Predictions are written before the journal says that they are."""
        with self._naming_predictions():
            if self._predictions is not None:
                self._predictions.flush()
                durable = self._durable is not None and self._durable.sync > 0
                if durable and self._predictions.seekable():
                    os.fsync(self._predictions.fileno())

    @contextmanager
    def _naming_predictions(self) -> Iterator[None]:
        """An error of their file names it; one of standard output is for who opened that."""
        if self._predictions is None or self._predictions is sys.stdout.buffer:
            yield
            return
        with write_errors(Path(self._predictions.name)):
            yield

    def close(self, error: BaseException | None = None) -> None:
        """Flush, and keep what is to be kept."""
        try:
            self._flush()
            if self._predictions is not None and self._predictions is not sys.stdout.buffer:
                self._predictions.close()
        finally:
            if self._durable is not None:
                self._durable.__exit__(type(error), error, None)

    def about_model(self) -> dict[str, Any]:
        """The facts by which `novikoff predict` reads another file for this learner."""
        self.settings.refuse_names()
        settings, parser = self.settings, self._parser
        features = parser.features if isinstance(parser, CsvLines) else self.learner.names or []
        label = "label" if settings.label is None else settings.label
        return {
            "source": settings.source,
            "label": label,
            "classes": list(self.learner.classes),
            "signs": False,
            "recipe": FeatureRecipe(
                tuple(map(str, features)), layout=FileLayout(decimal=settings.decimal)
            ).to_dict(),
        }

    def _made_parser(self) -> LineParser:
        settings = self.settings
        by_name = settings.by_name or settings.hashing is not None
        columns = StreamColumns(
            settings.label, settings.features, settings.drop, by_name, settings.decimal
        )
        if settings.kind == "jsonl":
            return JsonLines(columns)
        if settings.kind == "svmlight":
            return SvmlightLines(columns)
        notes = {} if self._durable is None else self._durable.notes
        header = settings.names or notes.get("header")
        delimiter = check_delimiter(settings.delimiter)
        return CsvLines(columns, delimiter or notes.get("delimiter"), header)


@contextmanager
def open_feed(
    settings: Settings, *, state: Path | None, sync: int, predictions: Path | None
) -> Iterator[Feed]:
    """A feed for a stream, gone on with where the folder `state` has it.

    `predictions`: where each prediction goes before its example is learned (`-`: to standard
    output). A file is cut back to what the folder says was written.
    """
    durable = None
    learner = settings.made_learner()
    if state is not None:
        durable = DurableStream(state, learner, sync=sync, about=settings.kept())
        learner = durable.learner
    try:
        at = 0 if durable is None else durable.place.outputs
        feed = Feed(settings, learner, durable, _open_durable(predictions, at))
    except BaseException as error:
        if durable is not None:
            durable.__exit__(type(error), error, None)
        raise
    try:
        yield feed
    except BaseException as error:
        feed.close(error)
        raise
    feed.close()


def _open_durable(predictions: Path | None, at: int) -> BinaryIO | None:
    if predictions is None:
        return None
    if str(predictions) == "-":
        return sys.stdout.buffer
    with write_errors(predictions):
        size = predictions.stat().st_size if at and predictions.exists() else 0
        if size < at:
            raise FileError(f"{predictions}: shorter than what was written: give the same file.")
        file = predictions.open("r+b" if at else "wb")
        file.truncate(at)
        file.seek(at)
        return file
