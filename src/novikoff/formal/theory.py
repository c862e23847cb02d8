"""The theory that a proof rests on: the parts of Novikoff.v that its kind of certificate needs."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

__all__ = ["NEEDED", "theory", "whole_theory"]

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
    return files("novikoff.formal").joinpath("Novikoff.v").read_text(encoding="utf-8")


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
