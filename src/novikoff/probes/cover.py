"""Cover's number: how many labellings of points in general position a hyperplane separates.

Of the 2ⁿ labellings of n points in general position in d dimensions, 2·Σ_{k≤d} C(n − 1, k) are
separated by a hyperplane with a bias (Cover, "Geometrical and statistical properties of systems of
linear inequalities", 1965). So random labels are separable with probability
2^(1−n) Σ_{k≤d} C(n − 1, k): 1 for n ≤ d + 1, exactly ½ at n = 2(d + 1), and soon nothing beyond.
"""

from fractions import Fraction
from functools import lru_cache
from numbers import Integral
from typing import Any

from novikoff.core.options import check_count
from novikoff.errors import OptionError

SHOWN_TO = 1e-4


@lru_cache(maxsize=256, typed=True)
def cover_probability(n: int, d: int) -> Fraction:
    """The probability that uniformly random labels of n points in d dimensions are separable.

    The points are in general position and the hyperplane may miss the origin. A labelling with one
    class only counts as separable.

    Parameters
    ----------
    n : int
        How many points.
    d : int
        Their dimension: how many columns, or their rank where columns depend on each other.

    Returns
    -------
    Fraction
        The probability, exactly.

    Examples
    --------
    >>> import novikoff
    >>> novikoff.cover_probability(4, 2)
    Fraction(7, 8)
    >>> novikoff.cover_probability(2002, 1000)
    Fraction(1, 2)
    """
    check_count("n", n)
    given: Any = d
    if isinstance(given, bool) or not isinstance(given, Integral) or d < 0:
        raise OptionError(f"d must be a whole number of at least 0; got {d!r}.")
    n, d = int(n), int(d)  # NumPy's integers (a matrix_rank, say) would overflow
    if d >= n - 1:
        return Fraction(1)
    term = total = 1
    for k in range(1, d + 1):
        term = term * (n - k) // k
        total += term
    return Fraction(total, 1 << (n - 1))


def shown_probability(value: Fraction) -> str:
    """A probability for people: near 0 and near 1 the small part is what is shown."""
    if value in (0, 1):
        return str(value)
    least = 1e-300
    rest = float(1 - value)
    if rest < SHOWN_TO:
        return f"1 − {rest:.1e}" if rest > least else "nearly 1"
    near = float(value)
    if near < SHOWN_TO:
        return f"{near:.1e}" if near > least else "nearly 0"
    return f"{near:.4f}"
