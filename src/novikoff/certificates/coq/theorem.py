"""A theorem about data: what it rests on, what it says and how it is proven, as Coq reads it.

The theory that a proof rests on: the parts of Novikoff.v that its kind of certificate needs.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from novikoff.certificates.coq.data import ProofData
from novikoff.certificates.coq.terms import rational, rational_list

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
    """What comes before the first heading, and the text under each."""
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
