"""What Coq will need for a proof, told before it is written: time and memory, roughly."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.exact.reading import Reading
from novikoff.formal.data import whole_over
from novikoff.formal.margin import MOST_NUMBERS
from novikoff.formal.terms import digits

__all__ = ["Cost", "cost_of"]

SAMPLE = 500  # rows whose numbers stand for all
# Measured with Coq 8.16 on one core of 2024: reading a number, a digit of it, and multiplying bits.
START, NUMBER, DIGIT, BIT = 2.0, 40e-6, 9e-6, 1.5e-8
GCD = 1.2e-7  # a bit of a weight times another, where fractions are brought to lowest terms
MEMORY, MEMORY_OF_DIGIT = 0.45, 1e-6


@dataclass(frozen=True)
class Cost:
    """How many numbers Coq reads, and about how many seconds and gigabytes that takes."""

    numbers: int
    seconds: float
    gigabytes: float

    def __str__(self) -> str:
        if self.seconds < 100:
            time = f"{self.seconds:.0f} seconds"
        elif self.seconds < 6000:
            time = f"{self.seconds / 60:.0f} minutes"
        else:
            time = f"{self.seconds / 3600:.0f} hours"
        return f"coqc needs about {time} and {self.gigabytes:.1f} GB for {self.numbers:,} numbers"


def cost_of(claim: Any, reading: Reading, rows: int) -> Cost:
    """The cost of a proof with this many rows of the data in it."""
    n, d = reading.X.shape
    chosen = np.linspace(0, n - 1, min(n, SAMPLE)).astype(int).tolist()
    integers, _ = reading.integers(chosen, range(d))
    values = [int(value) for row in integers.tolist() for value in row]
    length = sum(len(digits(value)) for value in values) / len(values)
    bits = sum(value.bit_length() for value in values) / len(values)
    weights = whole_over(claim.weights or claim.alpha)[0]
    width = max(value.bit_length() for value in weights)
    numbers = rows * d
    squares = bits if numbers <= MOST_NUMBERS else 0  # rows of large data are looked at once
    work = NUMBER + DIGIT * length + BIT * bits * (width + squares)
    seconds = START + numbers * work + GCD * len(weights) * width**2
    return Cost(numbers, seconds, MEMORY + numbers * length * MEMORY_OF_DIGIT)
