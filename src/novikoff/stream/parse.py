"""One line of text as an example: CSV, JSON lines, svmlight.

Lines of a file or of standard input, as they come, each with the position where it ends.
"""

import csv
import json
import math
import os
import select
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.core.files import refuse_no_name
from novikoff.data.delimited import MISSING, sniff_delimiter
from novikoff.data.number_text import COMMAS, is_number_text, number_of
from novikoff.data.source import COMPRESSIONS, open_raw
from novikoff.errors import DataError, FileError, LabelError, OptionError

BLOCK = 1 << 18
LONGEST_LINE = 1 << 26
POLL = 0.1  # seconds between two looks at a file that may grow


@dataclass
class Lines:
    """Where lines come from, and from which byte on.

    `follow`: at the end of a file wait for more, for at most `patience` seconds (None: for ever).
    `idle` is called when there is nothing to read just now.
    """

    source: str
    position: int = 0
    follow: bool = False
    patience: float | None = None
    idle: Callable[[], None] = lambda: None

    @property
    def name(self) -> str:
        """The name of the source in errors."""
        return "standard input" if self.source == "-" else self.source

    def __iter__(self) -> Iterator[tuple[bytes, int]]:
        """Each line without its end, and the position after it."""
        rest, at = b"", self.position
        for block in self._blocks():
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                at += len(line) + 1
                yield line.rstrip(b"\r"), at
            if len(rest) > LONGEST_LINE:
                raise FileError(f"{self.name}: a line of over {LONGEST_LINE >> 20} MiB at {at}.")
        if rest and not self.follow:  # an unfinished line of a file that grows may yet go on
            yield rest, at + len(rest)

    def _blocks(self) -> Iterator[bytes]:
        if self.source == "-":
            yield from self._piped(sys.stdin.fileno())
            return
        refuse_no_name(self.source)
        if Path(self.source).suffix.lower() in COMPRESSIONS:
            yield from self._unpacked()
            return
        try:
            with Path(self.source).open("rb", buffering=0) as file:
                yield from self._grown(file.fileno())
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise FileError(f"{self.source}: cannot be read: {reason}.") from error

    def _unpacked(self) -> Iterator[bytes]:
        if self.follow:
            raise OptionError(f"{self.source}: a compressed file cannot grow: leave out --follow.")
        left = self.position
        with open_raw(self.source).stream() as stream:
            while block := stream.read(BLOCK):
                if left < len(block):
                    yield block[left:]
                left = max(0, left - len(block))
        if left:
            raise FileError(f"{self.source}: ends {left} bytes before what was learned.")

    def _piped(self, handle: int) -> Iterator[bytes]:
        left = self.position
        while True:
            if not select.select([handle], [], [], POLL)[0]:
                self.idle()
                select.select([handle], [], [])
            block = os.read(handle, BLOCK)
            if not block:
                if left > 0:
                    raise FileError(f"{self.name}: ends {left} bytes before what was learned.")
                return
            skipped = min(left, len(block))
            left -= skipped
            if skipped < len(block):
                yield block[skipped:]

    def _grown(self, handle: int) -> Iterator[bytes]:
        if os.fstat(handle).st_size < self.position:
            raise FileError(
                f"{self.source}: shorter than the {self.position} bytes that were learned: "
                "it is not the file that this stream began with."
            )
        if self.position and _goes_on(os.pread(handle, 3, self.position - 1)):
            raise FileError(
                f"{self.source}: byte {self.position} is within a line. Its beginning was learned "
                "as a whole line, because the rest was not written yet. Start anew, and read a "
                "file that grows with --follow, which waits for the end of a line."
            )
        read = os.lseek(handle, self.position, os.SEEK_SET)
        waited = 0.0
        while True:
            block = os.read(handle, BLOCK)
            if block:
                waited, read = 0.0, read + len(block)
                yield block
                continue
            if os.fstat(handle).st_size < read:
                raise FileError(
                    f"{self.source}: shorter than the {read} bytes that were read: another file "
                    "was written in its place."
                )
            if not self.follow or (self.patience is not None and waited >= self.patience):
                return
            self.idle()
            time.sleep(POLL)
            waited += POLL


def _goes_on(around: bytes) -> bool:
    """Whether a line goes on behind the first of these bytes."""
    before, after = around[:1], around[1:]
    return before != b"\n" and after != b"" and not after.startswith((b"\n", b"\r\n"))


@dataclass(frozen=True)
class StreamColumns:
    """Which columns mean what: `by_name` makes dicts of examples, in which text is a category."""

    label: str | None = None
    features: Sequence[str] | None = None
    drop: Sequence[str] = ()
    by_name: bool = False
    decimal: str = "."

    def number(self, text: str) -> float:
        """The number that a field of CSV writes, or a `ValueError`."""
        return number_of(text if self.decimal == "." else text.translate(COMMAS))


class Classes:
    """The two labels of a stream, and which texts stand for them: `1.0` and `+1` for `1`."""

    def __init__(self, negative: str, positive: str) -> None:
        self.pair: tuple[Hashable, Hashable] = (_plain(negative), _plain(positive))
        # Of the ways in which labels are written, the last ones are known.
        self.of = lru_cache(maxsize=64, typed=True)(self._one_of)

    def _one_of(self, written: Hashable) -> Hashable:
        """The label that was written, as one of the pair; an error if it is neither."""
        value = _plain(written) if isinstance(written, str) else written
        for label in self.pair:
            if value == label or str(written) == str(label):
                return label
        raise LabelError(
            f"the label {written!r} is neither {self.pair[0]!r} nor {self.pair[1]!r}: "
            "name both (--classes negative,positive)."
        )


def _plain(text: str) -> Hashable:
    """A label as a number, if it is written like one."""
    if is_number_text(text):
        with suppress(ValueError):
            return int(text)
        return float(text)
    return text.strip()


class Quotes(Enum):
    """How the quotes of a line are at its end; WRONG: something stands behind a closing one."""

    CLOSED, OPEN, WRONG = range(3)


class LineParser(ABC):
    """Makes examples of lines: `None` for a line that is none (blank, a comment, a header)."""

    @abstractmethod
    def parse(self, line: bytes) -> tuple[Any, object] | None:
        """The example and its label as written; a `DataError` says what is wrong with the line."""

    def quotes(self, line: bytes) -> Quotes:  # noqa: ARG002
        """Whether a line, or several, ends within quotes, and so goes on in the next."""
        return Quotes.CLOSED


class CsvLines(LineParser):
    """Lines of fields; the first line, or `header`, has their names."""

    def __init__(
        self, columns: StreamColumns, delimiter: str | None, header: Sequence[str] | None
    ) -> None:
        self.columns, self.delimiter = columns, delimiter
        self.header: list[str] | None = None
        self.named_by_line = header is None
        self.note: str | None = None  # what a user should know, once the first line is read
        if header is not None:
            self._take(list(header))

    def parse(self, line: bytes) -> tuple[Any, object] | None:
        """The example of a line, as an array or by name."""
        try:
            text = line.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise DataError(f"not UTF-8 text: {error.reason}.") from error
        if not text.strip():
            return None
        if self.delimiter is None:
            self.delimiter = sniff_delimiter("", text, self.columns.decimal)
        fields = self._fields(text) if '"' in text else text.split(self.delimiter)
        if self.header is None:
            self._take([field.strip() for field in fields])
            return None
        if len(fields) != len(self.header):
            raise DataError(f"{len(fields)} fields where {len(self.header)} are expected.")
        label = fields[self._label].strip()
        if label in MISSING:
            raise DataError("the label is missing.")
        if self.columns.by_name:
            return self._named(fields), label
        return np.array([self._number(fields[j], j) for j in self._wanted]), label

    def _fields(self, text: str) -> list[str]:
        """The fields of a line with quotes; lines may end within quotes."""
        lines = text.splitlines(keepends=True)
        try:
            fields, *more = csv.reader(lines, delimiter=str(self.delimiter))
        except csv.Error as error:
            raise DataError(f"not CSV: {error}.") from error
        if more or self._quotes(lines) is Quotes.OPEN:
            raise DataError("a quoted field has no end.")
        return fields

    def quotes(self, line: bytes) -> Quotes:
        """How the quotes are at its end."""
        if b'"' not in line:
            return Quotes.CLOSED
        return self._quotes(line.decode("utf-8", errors="replace").splitlines(keepends=True))

    def _quotes(self, lines: list[str]) -> Quotes:
        delimiter = self.delimiter or sniff_delimiter("", lines[0], self.columns.decimal)
        try:
            list(csv.reader(lines, delimiter=delimiter, strict=True))
        except csv.Error as error:
            return Quotes.OPEN if "unexpected end" in str(error) else Quotes.WRONG
        return Quotes.CLOSED

    def _take(self, names: list[str]) -> None:
        """The first line: find the columns."""
        label = self.columns.label
        if label is None:
            raise OptionError(
                f"which column holds the labels? (--label) There are {names}{self._or_names}."
            )
        given = [label, *(self.columns.features or ()), *self.columns.drop]
        for name in given:
            if name not in names:
                raise DataError(f"no column {name!r}; there are {names}{self._or_names}.")
        if len(set(names)) < len(names):
            raise DataError(f"two columns have the same name: {names}{self._or_names}.")
        aside = {label, *self.columns.drop}
        wanted = self.columns.features or [name for name in names if name not in aside]
        self._label = names.index(label)
        self._wanted = [names.index(name) for name in wanted if name not in aside]
        if not self._wanted:
            raise DataError(f"no feature is left beside the label {label!r}.")
        self.header = names
        if self.named_by_line and all(map(is_number_text, self.features)):
            shown = ",".join(names[:4]) + (",…" if len(names) > 4 else "")
            self.note = f"the first line ({shown}) was read as the columns' names{self._or_names}"

    @property
    def _or_names(self) -> str:
        if not self.named_by_line:
            return ""
        return "; if the first line is an example, give the names of the columns (--names)"

    @property
    def features(self) -> list[str]:
        """The names of the columns that examples have."""
        return [(self.header or [])[j] for j in self._wanted]

    def _number(self, field: str, j: int) -> float:
        try:
            number = self.columns.number(field)
        except ValueError:
            number = math.nan
        if math.isfinite(number):
            return number
        name = (self.header or [])[j]
        if field.strip() in MISSING:
            raise DataError(f"column {name!r} has no value.")
        raise DataError(
            f"column {name!r} holds {field.strip()!r}, which is not a finite number (by_name, "
            f"--by-name, makes a category of text; --drop {name} leaves the column out)."
        )

    def _named(self, fields: list[str]) -> dict[str, Any]:
        """Numbers and texts by name; what is missing is left out."""
        example: dict[str, Any] = {}
        for j in self._wanted:
            field = fields[j].strip()
            if field in MISSING:
                continue
            try:
                example[(self.header or [])[j]] = self.columns.number(field)
            except ValueError:
                example[(self.header or [])[j]] = field
        return example


class JsonLines(LineParser):
    """One JSON object a line: numbers and texts by name, null for what is missing."""

    def __init__(self, columns: StreamColumns) -> None:
        if columns.label is None:
            raise OptionError("which name holds the labels? (--label)")
        self.columns = columns
        self._aside = {columns.label, *columns.drop}

    def parse(self, line: bytes) -> tuple[Any, object] | None:
        """The example of a line, by name."""
        if not line.strip():
            return None
        try:
            record = json.loads(line)
        except ValueError as error:
            raise DataError(f"not JSON: {error}.") from error
        except RecursionError as error:
            raise DataError("brackets are nested too deeply.") from error
        if not isinstance(record, dict):
            raise DataError("not a JSON object.")
        label = record.get(self.columns.label)
        if label is None:
            raise DataError(f"no label {self.columns.label!r}.")
        if isinstance(label, (list, dict)):
            raise DataError(f"the label is a {type(label).__name__}: a number or a text is needed.")
        wanted = self.columns.features or record
        example = {
            name: record[name]
            for name in wanted
            if name not in self._aside and record.get(name) is not None
        }
        for name, value in example.items():
            if isinstance(value, (list, dict)):
                raise DataError(f"{name!r} holds a {type(value).__name__}: numbers and texts only.")
        return example, label


class SvmlightLines(LineParser):
    """`label index:value …`, by name: x7 is what the file calls 7."""

    def __init__(self, columns: StreamColumns) -> None:
        if columns.label is not None:
            raise OptionError(
                "an svmlight file has no names: the label is what a line begins with."
            )
        self._drop = set(columns.drop)
        self._features = None if columns.features is None else set(columns.features)

    def parse(self, line: bytes) -> tuple[Any, object] | None:
        """The example of a line, by name."""
        parts = line.partition(b"#")[0].split()
        if not parts:
            return None
        example: dict[str, float] = {}
        for part in parts[1:]:
            index, _, value = part.partition(b":")
            if index == b"qid":
                continue
            try:
                if not index.isdigit():  # int would read 1_0
                    raise ValueError
                name, number = f"x{int(index)}", number_of(value.decode())
            except ValueError:
                raise DataError(f"{part[:40]!r} is not index:value.") from None
            if name in example:
                raise DataError(f"index {int(index)} comes twice.")
            if name not in self._drop and (self._features is None or name in self._features):
                example[name] = number
        return example, parts[0].decode("utf-8", errors="replace")
