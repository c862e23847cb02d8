"""What is attacked."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from tests.fuzz import certificates, cones, fewest, forged, learners, regressions, texts, verdicts
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
    "cones": Target(cones.draw, "cones of planes, true and forged, in both checkers"),
    "learners": Target(learners.draw, "`Perceptron`: every bit, and exact weights"),
    "certificates": Target(certificates.draw, "mutated certificates and files"),
    "texts": Target(texts.draw, "numbers in text, and damaged files and streams"),
}
