"""What is attacked, and what is known to fail."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from tests.fuzz import certificates, fewest, forged, learners, regressions, texts, verdicts
from tests.fuzz.cases import Case


class Target(NamedTuple):
    """How a case is drawn, and what it asks, for the docs."""

    draw: Callable[[np.random.Generator], Case]
    asks: str


TARGETS = {
    "verdicts": Target(
        verdicts.draw, "`separate`: verdict, rows on the plane, margins, both checkers"
    ),
    "forged": Target(forged.draw, "forged proofs in floating point"),
    "regressions": Target(regressions.draw, "`explain` and `detect_separation`: every coefficient"),
    "fewest": Target(fewest.draw, "`fewest_errors`"),
    "learners": Target(learners.draw, "`Perceptron`: every bit, and exact weights"),
    "certificates": Target(certificates.draw, "mutated certificates and files"),
    "texts": Target(texts.draw, "numbers in text, and damaged files and streams"),
}

# What fails and is not mended yet: whose it is, and the texts that such failures hold. They are
# counted as known, and not told. It should be empty.
NOT_YET: dict[str, tuple[str, ...]] = {
    "issue 21, items 1 to 3": (
        "Wrong: accepted",
        "Wrong: α is",
        "could not be worked out",
        "Wrong: overlapping, and",
    ),
    "issue 21, item 4": ("Wrong: coefficients",),
    "issue 21, item 5": ("beyond the range of float64", "OverflowError"),
    "issue 21, item 6": ("Wrong: radius", "Wrong: mistake_bound", "margin is "),
    "issue 21, item 7": ("scipy.sparse does not support dtype >",),
    "issue 21, item 13": ("Wrong: open",),
    "issue 21, item 18": ("RecursionError", "UnicodeEncodeError"),
}
