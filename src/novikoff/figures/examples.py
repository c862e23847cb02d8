"""The small data of the textbook's figures, so that each can be drawn without any data."""

import numpy as np

__all__ = ["MOVED", "SEPARABLE", "SEPARATOR", "SHARED", "XOR"]

# Two clouds whose widest street is x₁ + x₂ = 8; its sides run through rows 0, 1 and 7, 8.
SEPARABLE = (
    np.array(
        [
            [2, 4], [4, 2], [1, 2], [2, 1], [1, 4], [3, 1], [2, 3],
            [4, 6], [6, 4], [7, 5], [5, 7], [6, 7], [7, 7], [5, 6],
        ],
        dtype=np.float64,
    ),
    np.repeat([-1, 1], 7),
)  # fmt: skip
SEPARATOR = (np.array([1.0, 1.0]), -8.0)

# The same with row 6 moved among the other class, and a point that both hulls then hold.
MOVED = (np.vstack([SEPARABLE[0][:6], [[6.0, 6.0]], SEPARABLE[0][7:]]), SEPARABLE[1])
SHARED = np.array([5.3, 5.3])

XOR = (
    np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.float64),
    np.array([-1, 1, 1, -1]),
)
