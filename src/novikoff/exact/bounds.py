"""Bounds on the rounding errors of float64, each with its proof. The prover takes them from here.

u = 2⁻⁵³, η is the least positive float64 number, fl(·) a computed value.

*Sums of products.* For k terms in any order, |fl(Σ xⱼwⱼ) − Σ xⱼwⱼ| ≤ γ_k Σ|xⱼwⱼ| + kη with γ_k =
ku/(1 − ku). Proof: each product is xⱼwⱼ(1 + δ) with |δ| ≤ u, or off by at most η if it underflows,
and passes at most k − 1 additions, each with another such factor; a product of k of them is 1 + θ
with |θ| ≤ γ_k (Higham, "Accuracy and stability of numerical algorithms", 2002, §3.1).

*Computed sizes.* Where Σ|xⱼwⱼ| or a norm is itself computed by some thousands of operations, it is
off by a relative error far below 2⁻²⁰: `INFLATE` makes it an upper bound.

*A score with a bias* adds one term, and its comparison with the bound two roundings: k + 3 units.
If the weights or the rows are roundings of what is meant, each |xⱼwⱼ| is off by 3u more: k + 6
units, and what underflow loses is up to η(4 + 4Σ|wⱼ|) (`error_terms`).

*The least singular value.* Let W = AX for any X whose computed product makes the columns nearly
orthonormal. If X is square and ‖I − WᵀW‖ ≤ δ < 1, then X has an inverse and
σ_min(A) ≥ √(1 − δ)/‖X‖: for a unit v = Xz,
‖Av‖ = ‖Wz‖ ≥ √(1 − δ)‖z‖ ≥ √(1 − δ)/‖X‖ (Rump, "Verification methods", Acta Numerica 2010, §10).
`singular_value_bound` bounds each rounding in δ and ‖X‖ by the first formula.

*A sum in twice the working precision* (Ogita, Rump and Oishi 2005) of k terms is off by at most
u|exact| + γ_k²Σ|terms|, taken as 2u|fl| + (2ku)²Σ|terms| (`separability.proofs.margin`).

The signs that learners ask for have their bound in `core/signs.hpp`. The verifier has bounds of its
own (`core/verifier_signs.hpp`, `certificates.floating_point`): it must not share what it checks.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from novikoff import _core
from novikoff.matrix.rows import Floats, Rows

UNIT = 2.0**-53
SMALLEST = 5e-324
LEAST_NORMAL = float(np.finfo(np.float64).tiny)
INFLATE = 1.0 + 2.0**-20
# Far above what underflow can lose, far below any score that matters; and not a subnormal, which
# processors add slowly.
TINY = 1e-300


def gamma(k: int) -> float:
    """An upper bound on γ_k."""
    return k * UNIT * INFLATE / (1 - k * UNIT)


def error_terms(w_hat: Floats, rounded: bool) -> tuple[int, float]:
    """How many roundings there are besides those of the sum, and what underflow can lose."""
    if not rounded:
        return 3, SMALLEST
    return 6, SMALLEST * (4.0 + 4.0 * float(np.abs(w_hat).sum()))


# An upper bound on ‖w‖ that is right to many digits.
norm_bound = _core.norm_bound


def row_norms(rows: Rows, n: int, with_bias: bool) -> Floats:
    """An upper bound on ‖x̂ᵢ‖ for each row (augmented by a 1 if there is a bias)."""
    norms = np.empty(n)
    _core.row_norms(rows, with_bias, norms)
    return norms


def singular_value_bound(
    blocks: Iterable[Any], inverse: Any, *, extra: int = 0, xp: Any = np
) -> float:
    """A lower bound on σ_min of the rows in these blocks, 0 if there is none.

    `inverse` is any matrix that makes the columns of A·inverse nearly orthonormal: how well it does
    so is computed, and nothing about it is believed.
    """
    p, m = inverse.shape[0], 0
    gram = xp.zeros((inverse.shape[1], inverse.shape[1]), dtype=xp.float64)
    square_A, square_W = 0.0, 0.0
    for A in blocks:
        W = A @ inverse
        gram = gram + W.T @ W
        m += A.shape[0]
        square_A += float(xp.sum(A * A))
        square_W += float(xp.sum(W * W))
    size_A, size_W = math.sqrt(square_A) * INFLATE, math.sqrt(square_W) * INFLATE
    size_X = math.sqrt(float(xp.sum(inverse * inverse))) * INFLATE
    off_W = (gamma(p + 4) + extra * UNIT) * size_A * size_X  # ‖fl(AX) − AX‖ and the data's own
    off_gram = xp.eye(gram.shape[0], dtype=xp.float64) - gram
    remainder = math.sqrt(float(xp.sum(off_gram * off_gram))) * INFLATE
    remainder += gamma(m + 4) * (size_W**2 + p) + 2 * off_W * size_W + off_W**2
    remainder *= INFLATE
    # Only a square matrix of full rank makes all columns of A nearly orthonormal.
    if not (remainder < 0.5 and inverse.shape[1] == p):
        return 0.0
    return math.sqrt(1.0 - remainder) / size_X * (1 - 8 * UNIT)


def residual_bounds(sums: Any, sizes: Any, terms: int, *, extra: int = 0, xp: Any = np) -> Any:
    """Upper bounds on ‖Aᵀα‖ from the computed Aᵀα and |A|ᵀα, one a column where α has several."""
    # A sum of normal numbers may have lost products of subnormal size.
    reached = xp.abs(sums) + (gamma(terms + 4) + extra * UNIT) * sizes + LEAST_NORMAL * terms
    greatest = xp.max(reached, axis=0)
    shares = reached / greatest
    return xp.sqrt(xp.sum(shares * shares, axis=0)) * greatest * INFLATE
