"""The two-layer network: hidden ReLU units a = max(Wx + b, 0), output the sign of v·a + c.

Two hidden units are enough for XOR, which no single unit can do (Minsky and Papert 1969): they fold
the plane so that the two points (0,1) and (1,0) fall on one, and a line does the rest.
"""

from dataclasses import dataclass

import numpy as np

from novikoff.errors import NotFiniteError
from novikoff.matrix.problem import Matrix
from novikoff.matrix.rows import Floats


@dataclass(frozen=True)
class Network:
    """W (hidden × d) and b of the hidden units, v and c of the output units (one row each)."""

    W: Floats
    b: Floats
    v: Floats
    c: Floats

    def activations(self, X: Matrix) -> Floats:
        """a = max(Wx + b, 0): a row a sample, a column a hidden unit."""
        return np.maximum(np.asarray(X @ self.W.T) + self.b, 0.0)

    def scores(self, X: Matrix) -> Floats:
        """v·a + c: a row a sample, a column an output unit."""
        with np.errstate(over="ignore", invalid="ignore"):
            scores = np.asarray(self.activations(X) @ self.v.T + self.c)
        if not np.isfinite(scores).all():
            row = int(np.argmin(np.isfinite(scores).all(axis=1)))
            raise NotFiniteError(f"the scores of row {row} are beyond float64: scale the data.")
        return scores


def xor_network() -> Network:
    """XOR with whole numbers: a₁ = max(x₁ + x₂, 0), a₂ = max(x₁ + x₂ − 1, 0), 2a₁ − 4a₂ − 1.

    The score is −1, 1, 1, −1 on (0,0), (0,1), (1,0), (1,1), without any rounding.
    """
    return Network(
        W=np.array([[1.0, 1.0], [1.0, 1.0]]),
        b=np.array([0.0, -1.0]),
        v=np.array([[2.0, -4.0]]),
        c=np.array([-1.0]),
    )
