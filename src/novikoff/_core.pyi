"""The compiled loops: arrays in, arrays out. Sources are in core/, at the top of the repository."""

import numpy as np
from numpy.typing import NDArray

def sha256_update(state: NDArray[np.uint32], data: NDArray[np.uint8]) -> None:
    """Whole blocks of 64 bytes into the eight words of the state, in place."""
