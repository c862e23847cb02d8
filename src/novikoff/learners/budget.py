"""The kernel perceptron on a budget: at most B rows are remembered, whatever the stream brings.

*Forgetron*, the self-tuned one (Dekel, Shalev-Shwartz and Singer, "The Forgetron: a kernel-based
perceptron on a budget", SIAM Journal on Computing 37, 2008). When a mistake makes B + 1 rows, all
coefficients shrink by φ and the oldest row is forgotten. Forgetting a row with coefficient σ and
y·f(x) = μ (both after shrinking) sets the proof of the mistake bound back by Ψ = σ² + 2σ − 2σμ, in
units in which k(x, x) ≤ 1 and η = 1; φ is the greatest number up to 1 that keeps the sum of all Ψ
below 15/32 of the number of mistakes.

*Random* (Cavallanti, Cesa-Bianchi and Gentile 2007): a row drawn at random makes room, and nothing
shrinks.
"""

from dataclasses import dataclass, field
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from novikoff.learners.kernel import Gram, KernelState, add_row, next_mistake
from novikoff.learners.run import EpochLoop
from novikoff.learners.status import CONVERGED, GO_ON
from novikoff.learners.unit import Examples

Removal = Literal["forgetron", "random"]

SHARE = 15 / 32


@dataclass
class Memory:
    """The rows remembered and their coefficients, the oldest first; and the Forgetron's sums.

    `scale` is the greatest k(x, x) of a mistaken row so far; `deviation` the sum of all Ψ.
    """

    rows: list[int] = field(default_factory=list)
    coefs: list[float] = field(default_factory=list)
    mistakes: int = 0
    deviation: float = 0.0
    scale: float = 0.0

    def copy(self) -> "Memory":
        """A copy that can be changed by itself."""
        return Memory(list(self.rows), list(self.coefs), self.mistakes, self.deviation, self.scale)


def shrink_factor(sigma: float, mu: float, allowance: float) -> float:
    """The greatest φ in (0, 1] with (σφ)² + 2σφ − 2σφ·μφ ≤ allowance."""
    a, b = sigma * sigma - 2 * sigma * mu, 2 * sigma
    if a + b <= allowance:
        return 1.0
    return 2 * allowance / (b + sqrt(b * b + 4 * a * allowance))


@dataclass(frozen=True)
class BudgetEpochs(EpochLoop):
    """Epochs with at most `budget` rows remembered; `eta0` is the length of a plain step."""

    gram: Gram
    memory: Memory
    budget: int
    removal: Removal
    eta0: float
    random_state: np.random.RandomState

    def epoch(
        self, examples: Examples, order: NDArray[np.int64], tie: int, state: KernelState
    ) -> tuple[int, int]:
        """One epoch, from mistake to mistake."""
        mistakes, n = 0, len(order) or len(examples.push)
        t = next_mistake(examples, order, 0, tie, state)
        while t < n:
            self._learn(examples, int(order[t]) if len(order) else t, state)
            mistakes += 1
            t = next_mistake(examples, order, t + 1, tie, state)
        return mistakes, GO_ON if mistakes else CONVERGED

    def _learn(self, examples: Examples, i: int, state: KernelState) -> None:
        memory, step, bias = self.memory, float(examples.push[i]), examples.bias
        if self.removal == "random" and len(memory.rows) == self.budget:
            self._forget(int(self.random_state.randint(self.budget)), state, bias)
        row = self.gram.row(i)
        add_row(state.scores, step, row, bias)
        memory.rows.append(i)
        memory.coefs.append(step)
        memory.mistakes += 1
        memory.scale = max(memory.scale, float(row[i]) + bias)
        if len(memory.rows) > self.budget:
            self._shrink(state)
            self._forget(0, state, bias)

    def _shrink(self, state: KernelState) -> None:
        """Shrink every coefficient so far that forgetting the oldest row does no harm."""
        memory = self.memory
        coef, score = memory.coefs[0], float(state.scores[memory.rows[0]])
        unit = self.eta0 * (memory.scale or 1.0)
        sigma, mu = abs(coef) / self.eta0, (score if coef > 0 else -score) / unit
        phi = shrink_factor(sigma, mu, SHARE * memory.mistakes - memory.deviation)
        memory.deviation += sigma * phi * (sigma * phi + 2 - 2 * mu * phi)
        memory.coefs = [coef * phi for coef in memory.coefs]
        state.scores[:] *= phi

    def _forget(self, k: int, state: KernelState, bias: float) -> None:
        """Take the k-th row that is remembered out of every score."""
        row, coef = self.memory.rows.pop(k), self.memory.coefs.pop(k)
        add_row(state.scores, -coef, self.gram.row(row), bias)
