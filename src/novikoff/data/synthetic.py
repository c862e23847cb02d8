"""Made data, of which the answer is known: margins that are exact, and margins that vanish.

Everything is seeded, and no number is rounded where the docstring says "exactly".
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novikoff.errors import OptionError

Points = tuple[NDArray[np.float64], NDArray[np.int8]]

GRID = 2.0**-20  # coordinates are multiples of this, so that sums of a few of them are exact
MARGIN_BITS = 30  # what is kept of a margin, so that it stays exact when it is rotated


@dataclass(frozen=True)
class KnownMargin:
    """Separable points whose geometric margin, with an intercept, is exactly `margin`.

    `weights` is the unit normal of the widest band; the intercept is 0.

    Examples
    --------
    >>> from novikoff.data import known_margin
    >>> made = known_margin(10, 2, margin=0.5)
    >>> made.X.shape, made.margin
    ((10, 2), 0.5)
    """

    X: NDArray[np.float64]
    y: NDArray[np.int8]
    weights: NDArray[np.float64]
    margin: float


def known_margin(n: int, d: int, *, margin: float = 1.0, seed: int = 0) -> KnownMargin:
    """Points with a margin that is exactly the one given, to 30 bits.

    Two points face each other across the band, at ±γw; every other point is at least as far from
    the plane, so no wider band exists. A Householder reflection with entries that are fractions
    of a power of two then turns w away from the axes without rounding anything.

    Parameters
    ----------
    n : int
        How many points.
    d : int
        How many columns.
    margin : float, default=1.0
        The geometric margin.
    seed : int, default=0
        Of the random numbers.

    Returns
    -------
    KnownMargin
        The points and their widest band.

    Examples
    --------
    >>> import novikoff
    >>> made = novikoff.data.known_margin(10, 2, margin=0.5)
    >>> 0.5 in novikoff.separate(made.X, made.y).margin
    True
    """
    if n < 2 or d < 1 or not margin > 0:
        raise OptionError(f"need n ≥ 2, d ≥ 1, margin > 0; got {n}, {d} and {margin}.")
    generator = np.random.default_rng(seed)
    gamma = _few_bits(margin)
    y = np.where(np.arange(n) % 2 == 0, 1, -1).astype(np.int8)
    X = np.round(np.clip(generator.normal(size=(n, d)), -8, 8) / GRID) * GRID
    beyond = np.ceil(gamma / GRID) * GRID  # the first multiple of the grid that is outside the band
    X[:, 0] = y * (np.abs(X[:, 0]) + beyond)
    X[:2] = 0.0
    X[:2, 0] = gamma * y[:2]
    axis = np.zeros(d)
    axis[0] = 1.0
    signs = generator.choice([-1.0, 1.0], size=d)
    signs[2 ** int(np.log2(d)) :] = 0.0
    return KnownMargin(_reflect(X, signs), y, _reflect(axis[None, :], signs)[0], gamma)


def _few_bits(value: float) -> float:
    mantissa, exponent = np.frexp(value)
    return float(np.ldexp(np.round(mantissa * 2.0**MARGIN_BITS), int(exponent) - MARGIN_BITS))


def _reflect(X: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float64]:
    """X(I − 2vvᵀ/‖v‖²): exact, as v has entries ±1 in a number that is a power of two."""
    return X - np.outer(X @ v, v) * (2.0 / (v @ v))


def fibonacci(d: int) -> Points:
    """2d points of 0 and 1, separable, with a margin that falls like φ⁻ᵈ.

    The label is the parity of the highest coordinate that is 1. For each k there is the point that
    is 1 at k alone, and the one that is 1 at k, k − 1, k − 3, k − 5, …: the k-th weight has to
    outdo the sum of those, as a Fibonacci number does.

    Parameters
    ----------
    d : int
        How many columns.

    Returns
    -------
    X, y : ndarray
        Points, float64, and labels, −1 or +1.

    Examples
    --------
    >>> import novikoff
    >>> X, y = novikoff.data.fibonacci(3)
    >>> X.shape, novikoff.separate(X, y).word
    ((6, 3), 'separable')
    """
    if d < 1:
        raise OptionError(f"need d ≥ 1; got {d}.")
    alone = np.eye(d)
    outdone = np.array(
        [[j == k or (j < k and (k - j) % 2 == 1) for j in range(d)] for k in range(d)]
    )
    y = np.where(np.arange(d) % 2 == 0, 1, -1)
    return np.vstack([alone, outdone]).astype(np.float64), np.tile(y, 2).astype(np.int8)


def parity(bits: int) -> Points:
    """All words of some bits, +1 where an odd number of them is 1; two bits are XOR.

    Parameters
    ----------
    bits : int
        How many columns.

    Returns
    -------
    X, y : ndarray
        Points, float64, and labels, −1 or +1.

    Examples
    --------
    >>> import novikoff
    >>> X, y = novikoff.data.parity(2)
    >>> y.tolist()
    [-1, 1, 1, -1]
    """
    if not 1 <= bits <= 20:
        raise OptionError(f"need 1 to 20 bits; got {bits}.")
    words = np.arange(2**bits)
    X = (words[:, None] >> np.arange(bits)[::-1]) & 1
    return X.astype(np.float64), np.where(X.sum(axis=1) % 2 == 1, 1, -1).astype(np.int8)


def gaussian(n: int, d: int, *, seed: int = 0) -> Points:
    """Normal points with random labels: separable for n well below 2d, not above (Cover 1965).

    Parameters
    ----------
    n : int
        How many points.
    d : int
        How many columns.
    seed : int, default=0
        Of the random numbers.

    Returns
    -------
    X, y : ndarray
        Points, float64, and labels, −1 or +1.

    Examples
    --------
    >>> import novikoff
    >>> novikoff.separate(*novikoff.data.gaussian(30, 20)).word
    'separable'
    """
    generator = np.random.default_rng(seed)
    return generator.normal(size=(n, d)), generator.choice([-1, 1], size=n).astype(np.int8)


def moons(n: int, *, noise: float = 0.1, seed: int = 0) -> Points:
    """Two half circles that reach into each other: no line separates them, a curve does.

    Parameters
    ----------
    n : int
        How many points.
    noise : float, default=0.1
        How far points stray from the half circles.
    seed : int, default=0
        Of the random numbers.

    Returns
    -------
    X, y : ndarray
        Points, float64, and labels, −1 or +1.

    Examples
    --------
    >>> import novikoff
    >>> novikoff.separate(*novikoff.data.moons(100)).word
    'overlapping'
    """
    generator = np.random.default_rng(seed)
    upper = (n + 1) // 2
    angle = np.pi * generator.random(n)
    y = np.where(np.arange(n) < upper, -1, 1).astype(np.int8)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    X[upper:] = np.array([1.0, 0.5]) - X[upper:]
    return X + noise * generator.normal(size=(n, 2)), y
