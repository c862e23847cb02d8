"""A theorem about data: what it rests on, what it says and how it is proven, as Coq reads it."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from novikoff.formal.data import ProofData
from novikoff.formal.terms import rational, rational_list

__all__ = ["COMPUTE", "Theorem", "separator"]

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
