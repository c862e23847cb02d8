"""How a run ended: each status is the sentence that the user reads."""

from enum import Enum

# What a compiled loop says when it returns. OUTGROWN: the next epoch might round. FULL: there is no
# room for another mistake.
PAUSED, CONVERGED, CYCLED, OUTGROWN, FULL = 0, 1, 2, 3, 4
# What it says where there is no reason to stop.
GO_ON = -1


class Status(Enum):
    """Why learning stopped; `str(status)` is the sentence."""

    CONVERGED = "It converged: a whole epoch without a mistake."
    CYCLED = "It cycled: the same weights came back, so it will never stop. No separator exists."
    ERRORS_LEFT = "It has errors left: no start of the training got every example right."
    FAULTLESS = "It is faultless: it gets every example right that it was trained on."
    FULL = "It is full: it holds as many mistakes as it may, and learned nothing after them."
    LEARNING = "It is still learning: partial_fit presents each example once and does not stop."
    REACHED_MAX_ITER = "It stopped after max_iter epochs; the last one still had mistakes."

    def __str__(self) -> str:
        return self.value
