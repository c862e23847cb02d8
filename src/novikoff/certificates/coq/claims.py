"""The claim and its proof in Coq: one function for each kind of certificate.

That the rows of α span all rows is proven by numbers that Coq can check quickly.

Rows are independent if a matrix C makes CB the identity modulo some q: small numbers prove a rank
over the rationals. Where columns depend on others, the reduced echelon form gives every row back
from its entries in the leading columns.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.coq.errors import fewest_errors
from novikoff.certificates.coq.margin import (
    MOST_NUMBERS,
    Promise,
    best_reference,
    hull_weights,
    promise_of,
    round_down,
    round_up,
)
from novikoff.certificates.coq.theorem import (
    COMPUTE,
    ProofData,
    Theorem,
    digits,
    integer_list,
    list_term,
    matrix,
    proof_data,
    rational,
    rational_list,
    separator,
    spread,
)
from novikoff.errors import LimitError
from novikoff.exact.null_space import leads_of
from novikoff.exact.rational import over_one_denominator
from novikoff.exact.reading import ExactMatrix

# Small, so that Coq multiplies fast; each is tried if the ones before divide a minor by accident.
MODULI = (32749, 32719, 32717, 32713, 32707, 2147483647, 2**61 - 1)


@dataclass(frozen=True)
class Span:
    """`inverse` times the rows in the `columns` is the identity modulo `modulus`.

    `relation` has one row for each of these columns: a row of the data, times `denominator`, is the
    combination of these rows with its own entries in the columns.
    """

    modulus: int
    inverse: list[list[int]]
    columns: list[int]
    denominator: int
    relation: list[list[int]]


def span_of(table: list[list[int]]) -> Span:
    """The span of these integer rows, with what proves it."""
    echelon, denominator, rank = flint.fmpz_mat(table).rref()
    if rank == 0:
        return Span(2, [], [], 1, [])
    rows = [[int(value) for value in row] for row in echelon.table()[:rank]]
    columns = [next(j for j, value in enumerate(row) if value) for row in rows]
    sign = 1 if denominator > 0 else -1
    for modulus in MODULI:
        inverse = _inverse_modulo([[row[j] % modulus for j in columns] for row in table], modulus)
        if inverse is not None:
            relation = [[sign * value for value in row] for row in rows]
            return Span(modulus, inverse, columns, sign * int(denominator), relation)
    raise LimitError("no modulus was found that shows the rank of the rows of α.")


def _inverse_modulo(table: list[list[int]], modulus: int) -> list[list[int]] | None:
    """C with C · table = 1 modulo `modulus`, or None; 0 for all rows but some independent ones."""
    rank = len(table[0])
    columns = flint.nmod_mat([list(column) for column in zip(*table, strict=True)], modulus)
    chosen = leads_of(*columns.rref())
    if len(chosen) < rank:
        return None
    square = flint.nmod_mat([table[i] for i in chosen], modulus).inv()
    inverse = [[0] * len(table) for _ in range(rank)]
    for k in range(rank):
        for at, i in enumerate(chosen):
            inverse[k][i] = int(square[k, at])
    return inverse


def separable(claim: Any, reading: ExactMatrix, signs: NDArray[np.int8]) -> Theorem:
    """The weights separate, with their margin, and no perceptron makes more than k mistakes.

    The bound on the mistakes needs a second look at every row, and is left out of large proofs.
    """
    data = proof_data(reading, signs, None, fit_intercept=claim.fit_intercept)
    promise = promise_of(data, claim.weights, claim.intercept)
    low = rational(round_down(promise.margin_squared))
    p, definitions = data.planes, separator(claim)
    by = f"margin_at_least_by {p} units rows weights bias {_least(promise)} {low}"
    separated = (
        f"(allowed {p} bias /\\ separates weights bias data /\\ "
        f"margin_squared_at_least {p} {low} data)"
    )
    facts = [(separated, f"apply ({by}); {COMPUTE}")]
    rows, alpha, square = hull_weights(data, promise.near)
    if rows:
        high = rational(round_up(square))
        definitions += f"Definition alpha : list Z := {spread(rows, alpha)}.\n"
        proof = f"apply (margin_at_most_by {p} units rows alpha {high}); {COMPUTE}"
        facts.append((f"margin_squared_at_most {p} {high} data", proof))
    if data.n * data.d > MOST_NUMBERS:
        return Theorem(("Margin",), data, definitions, facts)
    named, fact = _few_mistakes(claim, data, promise)
    return Theorem(("Margin", "Perceptron"), data, definitions + named, [*facts, fact])


def _few_mistakes(claim: Any, data: ProofData, promise: Promise) -> tuple[str, tuple[str, str]]:
    """The bound on the mistakes, from the weights given or from better ones for this purpose."""
    reference = best_reference(data, promise.near) or (claim.weights, claim.intercept)
    better = promise_of(data, *reference)
    if better.mistakes > promise.mistakes:
        reference, better = (claim.weights, claim.intercept), promise
    definitions = (
        f"Definition reference : list Q := {rational_list(reference[0])}.\n"
        f"Definition reference_bias : Q := {rational(reference[1])}.\n"
    )
    by = f"mistakes_by {data.planes} units rows reference reference_bias {_least(better)} "
    by += f"{digits(better.U)} {digits(better.R2)}%Z {better.mistakes}%N"
    statement = (
        f"forall eta w n, 0 < eta -> run eta (augmented {data.planes} data) [] w n -> "
        f"(N.of_nat n <= {better.mistakes})%N"
    )
    return definitions, (statement, f"apply ({by}); {COMPUTE}")


def _least(promise: Promise) -> str:
    return f"{digits(promise.L)} {digits(promise.m)}%Z"


def not_separable(claim: Any, reading: ExactMatrix, signs: NDArray[np.int8]) -> Theorem:
    """No plane separates the rows of α, so none separates these and any others."""
    data = proof_data(reading, signs, claim.rows, fit_intercept=claim.fit_intercept)
    alpha, _ = over_one_denominator(claim.alpha)
    definitions = f"Definition alpha : list Z := {integer_list(alpha)}.\n"
    fact = f"forall others, ~ separable {data.planes} (data ++ others)"
    proof = f"apply (not_separable_by {data.planes} units rows alpha); {COMPUTE}"
    return Theorem(("Not separable",), data, definitions, [(fact, proof)])


def touching(claim: Any, reading: ExactMatrix, signs: NDArray[np.int8]) -> Theorem:
    """The weights separate weakly, and α forbids more."""
    data = proof_data(reading, signs, None, fit_intercept=claim.fit_intercept)
    alpha, _ = over_one_denominator(claim.alpha)
    _, L = over_one_denominator(data.hat(claim.weights, claim.intercept))
    definitions = separator(claim)
    definitions += f"Definition alpha : list Z := {spread(claim.rows, alpha)}.\n"
    p = data.planes
    fact = f"allowed {p} bias /\\ weakly_separates weights bias data /\\ touching {p} data"
    proof = f"apply (touching_by {p} units rows weights bias {digits(L)} alpha); {COMPUTE}"
    return Theorem(("Touching",), data, definitions, [(fact, proof)])


def overlapping(claim: Any, reading: ExactMatrix, signs: NDArray[np.int8]) -> Theorem:
    """Every weak separator has every row on its plane.

    If the rows of α have the full rank, they are enough, whatever other rows there are.
    """
    data = proof_data(reading, signs, claim.rows, fit_intercept=claim.fit_intercept)
    span = span_of(data.signed)
    if not _has_full_rank(data, span):
        return _overlapping_by_all_rows(claim, reading, signs)
    alpha, _ = over_one_denominator(claim.alpha)
    p = data.planes
    definitions = (
        f"Definition alpha : list Z := {integer_list(alpha)}.\n"
        f"Definition inverse : list (list Z) := {matrix(span.inverse)}.\n"
    )
    fact = (
        f"forall others, (forall e, In e others -> length (snd e) = {data.d}%nat) ->\n"
        f"    overlapping {p} (data ++ others) /\\\n"
        f"    ~ separable {p} (data ++ others) /\\ ~ touching {p} (data ++ others)"
    )
    by = f"overlapping_by {p} units rows alpha {span.modulus} inverse"
    proof = f"intros others same; apply with_what_it_excludes, ({by}); [{COMPUTE} | exact same]"
    return Theorem(("Overlapping",), data, definitions, [(fact, proof)])


def _has_full_rank(data: ProofData, span: Span) -> bool:
    return len(span.columns) == data.d + data.fit_intercept


def _overlapping_by_all_rows(claim: Any, reading: ExactMatrix, signs: NDArray[np.int8]) -> Theorem:
    """The theorem where columns depend on others: the file has all rows, and Coq checks each."""
    data = proof_data(reading, signs, None, fit_intercept=claim.fit_intercept)
    span = span_of([data.signed[i] for i in claim.rows])
    alpha, _ = over_one_denominator(claim.alpha)
    leading = set(span.columns)
    mask = list_term("true" if j in leading else "false" for j in range(data.d + 1))
    p = data.planes
    definitions = (
        f"Definition alpha : list Z := {spread(claim.rows, alpha)}.\n"
        f"Definition inverse : list (list Z) := {matrix(span.inverse)}.\n"
        f"Definition leading : list bool := {mask}.\n"
        f"Definition relation : list (list Z) := {matrix(span.relation)}.\n"
    )
    fact = f"overlapping {p} data /\\ ~ separable {p} data /\\ ~ touching {p} data"
    by = f"overlapping_all_by {p} units rows alpha {span.modulus} inverse leading "
    by += f"{digits(span.denominator)} relation"
    proof = f"apply with_what_it_excludes, ({by}); {COMPUTE}"
    return Theorem(("Overlapping",), data, definitions, [(fact, proof)])


CLAIMS: dict[str, Callable[[Any, ExactMatrix, NDArray[np.int8]], Theorem]] = {
    "separable": separable,
    "not separable": not_separable,
    "touching": touching,
    "overlapping": overlapping,
    "fewest errors": fewest_errors,
}


def rows_needed(claim: Any, reading: ExactMatrix, signs: NDArray[np.int8]) -> int:
    """How many rows of the data the proof will hold."""
    n = int(reading.X.shape[0])
    if claim.kind == "not separable":
        return len(claim.rows)
    if claim.kind == "overlapping":
        data = proof_data(reading, signs, claim.rows, fit_intercept=claim.fit_intercept)
        return data.n if _has_full_rank(data, span_of(data.signed)) else n
    return n
