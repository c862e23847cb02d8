"""A theorem about data, as Coq reads it: what it rests on, its data, what it says and its proof.

In this order: how numbers, lists and remarks are written in Coq; the theory that a proof rests on,
those parts of Novikoff.v that its kind of certificate needs; the rows of the data as integers with
the units of their columns; the theorem.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.exact.reading import ExactMatrix

MOST_PLACES, MOST_DIGITS = 40, 18  # of a decimal that is still read at a glance
LONG = 1 << 32  # integers from here on are written in hexadecimal, which Coq reads faster


def list_term(terms: Iterable[str], between: str = "; ") -> str:
    """A list of terms."""
    return f"[{between.join(terms)}]"


def digits(value: int) -> str:
    """An integer of the data: decimal as long as a person may want to read it."""
    return str(value) if abs(value) < LONG else hex(value)


def rational(value: Fraction) -> str:
    """A rational number: a decimal where that is short, and p # q elsewhere."""
    for places in range(MOST_PLACES + 1):
        scaled = value * 10**places
        if scaled.denominator == 1 and abs(scaled) < 10**MOST_DIGITS:
            whole, part = divmod(abs(int(scaled)), 10**places)
            sign = "-" if value < 0 else ""
            return f"({sign}{whole}" + (f".{part:0{places}})" if places else ")")
    return f"({digits(value.numerator)} # {digits(value.denominator)})"


def integer_list(values: Iterable[int]) -> str:
    """A list of integers."""
    return f"{list_term(map(digits, values))}%Z"


def matrix(table: Iterable[Iterable[int]]) -> str:
    """A list of lists of integers, a line each."""
    return list_term(map(integer_list, table), ";\n  ")


def rational_list(values: Iterable[Fraction]) -> str:
    """A list of rational numbers."""
    return list_term(map(rational, values))


def spread(places: Sequence[int], values: Sequence[int]) -> str:
    """A list that is 0 but at these places, which increase: each with how many zeros come first."""
    pairs, last = [], -1
    for place, value in zip(places, values, strict=True):
        pairs.append(f"({place - last - 1}%N, ({digits(value)})%Z)")
        last = place
    return f"(spread {list_term(pairs)})"


def remark(text: str) -> str:
    """A comment. Words of the user cannot end it: no asterisk and no quotation mark is left."""
    harmless = text.replace("*", "·").replace('"', "'").replace("\\", "/")
    return f"(* {' '.join(harmless.split())} *)"


HEADING = re.compile(r"^\(\* \*\* (.+) \*\)\n", re.MULTILINE)

# What each part needs besides itself, in the order of the file; the first ones are always there.
NEEDED = {
    "Words": (),
    "Algebra": (),
    "Rows": (),
    "Separable": (),
    "Not separable": (),
    "Touching": ("Not separable",),
    "Overlapping": ("Not separable",),
    "Errors": ("Not separable",),
    "Margin": (),
    "Perceptron": ("Margin",),
}
ALWAYS = ("Words", "Algebra", "Rows", "Separable")


def whole_theory() -> str:
    """The text of Novikoff.v."""
    return files("novikoff.certificates.coq").joinpath("Novikoff.v").read_text(encoding="utf-8")


@cache
def _parts() -> tuple[str, dict[str, str]]:
    """The text before the first heading of Novikoff.v, and the text under each heading."""
    preamble, *pieces = HEADING.split(whole_theory())
    names, texts = pieces[::2], pieces[1::2]
    return preamble, dict(zip(names, texts, strict=True))


def theory(parts: Iterable[str]) -> str:
    """These parts of the theory, and what they need: enough for coqc by itself."""
    preamble, texts = _parts()
    wanted = set(ALWAYS)
    for part in parts:
        wanted |= {part, *NEEDED[part]}
    chosen = [f"(* ** {name} *)\n{texts[name]}" for name in texts if name in wanted]
    return preamble + "".join(chosen)


@dataclass(frozen=True)
class ProofData:
    """Some rows of the data: x_ij = entries[i][j] · units[j], with labels −1 or +1.

    `indices` are their places in the user's data, and `whole` says that they are all of it.
    """

    entries: list[list[int]]
    units: list[Fraction]
    signs: list[int]
    indices: list[int]
    fit_intercept: bool
    whole: bool

    @property
    def n(self) -> int:
        """How many rows."""
        return len(self.entries)

    @property
    def d(self) -> int:
        """How many columns."""
        return len(self.units)

    @property
    def planes(self) -> str:
        """Which planes are tried, in the words of the theory."""
        return "every_plane" if self.fit_intercept else "planes_through_0"

    @cached_property
    def signed(self) -> list[list[int]]:
        """The rows y(1, x), or y(0, x) without an intercept, as the theory has them."""
        return [
            [sign if self.fit_intercept else 0, *(sign * x for x in row)]
            for sign, row in zip(self.signs, self.entries, strict=True)
        ]

    def hat(self, weights: Sequence[Fraction], intercept: Fraction) -> list[Fraction]:
        """The bias and the weights in the units of the columns: what integer rows meet."""
        return [intercept, *(w * unit for w, unit in zip(weights, self.units, strict=True))]

    def definitions(self) -> str:
        """The data in Coq, a line a row; where rows were left out, with the place of each."""
        names = {1: "Plus", -1: "Minus"}
        lines = []
        for place, (sign, row) in enumerate(zip(self.signs, self.entries, strict=True)):
            end = ";" if place + 1 < self.n else ""
            note = "" if self.whole else f" (* row {self.indices[place]} *)"
            lines.append(f"  ({names[sign]}, {list_term(map(digits, row))}){end}{note}")
        rows = "\n".join(lines)
        return (
            f"Definition units : list Q := {rational_list(self.units)}.\n\n"
            f"Definition rows : list row := [\n{rows}\n]%digits.\n\n"
            "Definition data : list example := points units rows.\n"
        )


def proof_data(
    reading: ExactMatrix,
    signs: NDArray[np.int8],
    rows: Sequence[int] | None,
    *,
    fit_intercept: bool,
) -> ProofData:
    """These rows of the data, or all of them."""
    n, d = reading.X.shape
    indices = list(range(n)) if rows is None else list(rows)
    integers, factors = reading.integers(indices, range(d))
    return ProofData(
        entries=[[int(value) for value in row] for row in integers.tolist()],
        units=[1 / Fraction(factor) for factor in factors],
        signs=signs[indices].astype(int).tolist(),
        indices=indices,
        fit_intercept=fit_intercept,
        whole=len(indices) == n,
    )


# The checker returned true: computed by Coq's virtual machine, once, when the proof is accepted.
COMPUTE = "vm_cast_no_check (eq_refl true)"


@dataclass(frozen=True)
class Theorem:
    """A theorem about the data: the parts of the theory it rests on, what it says, and its proof.

    `facts` are statements with their proofs: the theorem is that all of them hold.
    """

    parts: tuple[str, ...]
    data: ProofData
    definitions: str
    facts: list[tuple[str, str]]

    def text(self) -> str:
        """The data, the certificate and the theorem."""
        data = self.data
        shape = (f"has_shape {data.n} {data.d} data", f"apply shape_by; {COMPUTE}")
        facts = [shape, *self.facts]
        statement = " /\\\n  ".join(statement for statement, _ in facts)
        proofs = [f"  split; [{proof}|].\n" for _, proof in facts[:-1]] + [f"  {facts[-1][1]}.\n"]
        return (
            f"(* ** Data *)\n\n{data.definitions()}\n"
            f"(* ** Certificate *)\n\n{self.definitions}\n"
            f"(* ** Answer *)\n\nTheorem answer :\n  {statement}.\n"
            f"Proof.\n{''.join(proofs)}Qed.\n\n"
            "Print Assumptions answer.\n"
        )


def separator(claim: Any) -> str:
    """The weights and the bias of a certificate, exactly."""
    return (
        f"Definition weights : list Q := {rational_list(claim.weights)}.\n"
        f"Definition bias : Q := {rational(Fraction(claim.intercept))}.\n"
    )
