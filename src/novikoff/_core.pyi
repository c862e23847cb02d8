"""The compiled loops: arrays in, arrays out. Sources are in core/, at the top of the repository."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Signs: TypeAlias = NDArray[np.int8]

def csr_is_sound(indices: NDArray[Any], indptr: NDArray[Any], n_features: int) -> bool:
    """Whether the rows follow each other in the arrays, and all columns exist."""

def pauses() -> int:
    """How often loops have paused in this thread."""

def norm_bound(w: Floats) -> float:
    """An upper bound on the norm of w that is right to many digits."""

def row_norms(rows: object, with_bias: bool, norms: Floats) -> None:
    """Upper bounds on the norms of the rows, augmented by a 1 if there is a bias."""

def sha256_update(state: NDArray[np.uint32], data: Bytes) -> None:
    """Whole blocks of 64 bytes into the eight words of the state, in place."""

def number_at(data: Bytes, start: int, powers: Floats) -> tuple[float, int, int]:
    """The number that is written from `start` on, where it ends, and how it is held.

    It ends at `start` if there is none. The last byte must be a line end.
    """

def read_texts(
    data: Bytes,
    offsets: NDArray[np.int32],
    powers: Floats,
    values: Floats,
    how: NDArray[np.int8],
) -> None:
    """The number of each text, and how it is held: doubtful if there is none."""

def has_long_number(text: Bytes) -> bool:
    """Whether some bytes may write a number of over 15 digits, or of a very large exponent."""

def parse_svmlight(
    data: Bytes,
    powers: Floats,
    labels: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: Floats,
    doubtful: NDArray[np.int64],
) -> tuple[int, int, int, int, int, int]:
    """Lines of svmlight into the arrays of CSR, up to one that is bad.

    Returns the rows, the pairs that are stored, the numbers that only print so, those that are
    doubtful (each with its place and row in `doubtful`, as far as there is room), and of a bad line
    why and where it starts.
    """

def add_columns(
    X: Floats, centre: Floats, squared: bool, totals: Floats, tails: Floats, ends: Floats
) -> None:
    """Add xⱼ − centreⱼ of each row, or its square, to the totals; `ends` are least and greatest."""

def count_mistakes(examples: object, tie: int, weights: object) -> int:
    """How many of the presented examples are misclassified, without learning from them."""

def scores(rows: object, w: Floats, result: Floats) -> None:
    """x_i · w + w[-1] of each row, done exactly where rounding could have changed its sign."""

# The perceptron, its orders and its watchers.

def perceptron_begin(n: int, unit: float, state: object) -> int:
    """Before an epoch over n examples: why it must not begin, or GO_ON."""

def perceptron_end(state: object, mistakes: int) -> int:
    """After an epoch: why no other is needed, or GO_ON."""

def perceptron_present(
    examples: object, order: Integers, tie: int, state: object, start: int
) -> int:
    """Present the examples from a position of the order on; how many were mistaken."""

def perceptron_epochs(
    examples: object,
    order: Integers,
    tie: int,
    state: object,
    mistakes_per_epoch: Integers,
    threads: int = 1,
) -> tuple[int, int]:
    """Epochs of the perceptron: how many were run, and why it stopped."""

def greedy_epochs(
    examples: object,
    order: Integers,
    tie: int,
    state: object,
    sides: Floats,
    mistakes_per_epoch: Integers,
) -> tuple[int, int]:
    """Epochs that learn from the worst mistake each time; `sides` is room for a number a row."""

def skipping_epochs(
    examples: object,
    order: Integers,
    tie: int,
    state: object,
    survey: object,
    schedule: object,
    mistakes_per_epoch: Integers,
    threads: int = 1,
) -> tuple[int, int]:
    """`perceptron_epochs` without presenting rows that cannot be mistakes."""

def take_survey(
    examples: object, order: Integers, weights: object, pace: float, survey: object
) -> bool:
    """Find the rows near these weights, if that pays at this pace; whether it does."""

def present_near(examples: object, tie: int, weights: object, survey: object) -> tuple[int, int]:
    """Present the near rows: the mistakes, and from where all rows must be looked at."""

def slacks(examples: object, order: Integers, weights: object, found: Floats) -> None:
    """How far ŵ can move before each presented row may be a mistake; −1 where it may be one."""

def first_doubt(
    examples: object, order: Integers, weights: object, start: int
) -> tuple[int, float]:
    """The first position that may be a mistake, and the least slack before it (−1 if there is one).

    If no row may be a mistake, the position is the length of the order.
    """

def next_doubtful(
    rows: object,
    signs: Floats,
    norms: Floats,
    order: Integers,
    start: int,
    w: Floats,
    w_norm: float,
) -> int:
    """The next position whose row may be a mistake, where rows and weights have been rounded."""

def replay(examples: object, mistakes: Integers, w: Floats) -> None:
    """Push `w` by each of these mistakes in turn."""

def first_false(examples: object, mistakes: Integers, scores: Floats, w: Floats, tie: int) -> int:
    """The first mistake, from ŵ = `w` on, that is none or has another score; or −1."""

def follow(examples: object, mistakes: Integers, w: Floats, w_star: Floats, found: object) -> None:
    """Play a run again from ŵ = `w` = 0 and measure the weights after each mistake."""

# The perceptron's relatives: averaged, voted, pocket, joint, kernel, streams.

def averaged_epochs(
    examples: object,
    order: NDArray[np.int64],
    tie: int,
    state: object,
    mistakes_per_epoch: NDArray[np.int64],
    threads: int = 1,
) -> tuple[int, int]:
    """Epoch after epoch: how many were run, and why it returned."""

def averaged_present(
    examples: object, order: NDArray[np.int64], tie: int, state: object, start: int, stop: int
) -> int:
    """Present the examples at these positions of the order; the mistakes."""

def voted_epochs(
    examples: object,
    order: NDArray[np.int64],
    tie: int,
    weights: object,
    history: object,
    max_mistakes: int,
    mistakes_per_epoch: NDArray[np.int64],
) -> tuple[int, int]:
    """Epoch after epoch: how many were run, and why it returned."""

def votes(
    points: object, rows: object, history: object, bias: float, tie: int, result: Floats
) -> None:
    """For each point the votes for +1 minus those for −1."""

def pocket_epochs(
    examples: object,
    order: NDArray[np.int64],
    tie: int,
    state: object,
    mistakes_per_epoch: NDArray[np.int64],
) -> tuple[int, int]:
    """Epoch after epoch: how many were run, and why it returned."""

def pocket_until_trial(
    examples: object, order: NDArray[np.int64], tie: int, state: object, start: int
) -> tuple[int, int, bool]:
    """Present examples up to one that makes a trial due: the position, mistakes, if it is due."""

def loss_on(
    examples: object, tie: int, weights: object, loss: float, limit: float
) -> tuple[float, int]:
    """The loss, with that of each misclassified example, up to the limit; how many they are."""

def joint_epochs(
    examples: object,
    order: NDArray[np.int64],
    tie: int,
    state: object,
    mistakes_per_epoch: NDArray[np.int64],
) -> tuple[int, int]:
    """Epoch after epoch: how many were run, and why it returned."""

def joint_errors(examples: object, tie: int, state: object) -> int:
    """How many of the presented examples are misclassified, without learning from them."""

def kernel_next_mistake(
    examples: object, order: NDArray[np.int64], start: int, tie: int, state: object
) -> int:
    """The first place from start on whose row is a mistake; the end if none is."""

def kernel_errors(examples: object, tie: int, state: object) -> int:
    """How many of the presented examples are misclassified, without learning from them."""

def kernel_advance(
    examples: object, order: NDArray[np.int64], start: int, tie: int, state: object, cache: object
) -> int:
    """Learn from mistake after mistake; the place of one whose Gram row is not at hand."""

def add_row(scores: Floats, step: float, row: Floats, bias: float) -> None:
    """Add step·(row + bias) to the scores."""

def learn_dense(
    x: Floats, sign: float, W: Floats, numbers: Floats, counts: NDArray[np.int64]
) -> int:
    """Present one example given as a flat array; what came of it."""

def learn_sparse(
    values: Floats,
    columns: NDArray[np.uint64],
    sign: float,
    W: Floats,
    numbers: Floats,
    counts: NDArray[np.int64],
) -> int:
    """Present one example given as columns and values, unless a value is very large."""

def learn_large_sparse(
    values: Floats,
    columns: NDArray[np.uint64],
    sign: float,
    W: Floats,
    numbers: Floats,
    counts: NDArray[np.int64],
) -> int:
    """`learn_sparse` for values that are known not to have been rounded."""

def learn_rows(
    rows: object,
    signs: Floats,
    W: Floats,
    numbers: Floats,
    counts: NDArray[np.int64],
    outcomes: NDArray[np.int8],
) -> int:
    """Present row after row, up to one that makes a trial due or fails; how many were presented."""

def sign_dense(x: Floats, w: Floats, w_norm: float) -> int:
    """The sign of x·w + b, exactly, given a bound on the norm of the weights."""

def sign_sparse(values: Floats, columns: NDArray[np.uint64], w: Floats, w_norm: float) -> int:
    """`sign_dense` for columns and values, unless a value is very large."""

def sign_large_sparse(values: Floats, columns: NDArray[np.uint64], w: Floats, w_norm: float) -> int:
    """`sign_sparse` for values that are known not to have been rounded."""

def has_fewer_errors(
    rows: object, signs: Floats, W: Floats, numbers: Floats, counts: NDArray[np.int64]
) -> bool:
    """Whether the weights at work misclassify fewer examples than those in the pocket."""

def pass_over_right_ones(counts: NDArray[np.int64], examples: int) -> None:
    """Count examples that are known to have been right, without seeing them."""

# Exact signs, sums, residues, elimination modulo a prime.

def exact_score(rows: object, i: int, w: Floats) -> float:
    """The score of a row, rounded once, to the nearest float64; 0 only if it is 0."""

def exact_dot(u: Floats, v: Floats) -> float:
    """The product of two vectors, rounded once, to the nearest float64; 0 only if it is 0."""

def exact_comparison(rows: object, i: int, u: Floats, v: Floats) -> int:
    """The sign of the score of a row with u minus that with v, exactly."""

def score_sign(rows: object, i: int, w: Floats, bound: float, exact_below: float) -> int:
    """The sign of the score of a row, exactly, given bound ≥ ‖x̂ᵢ‖·‖ŵ‖."""

def norm_after_update(w_norm: float, step: float, row_norm: float) -> float:
    """An upper bound on ‖ŵ + step·x̂‖ after a mistake on x̂."""

def least_row(rows: object, y: Floats, w: Floats) -> int:
    """The row whose y·(x·w + w[-1]) is least, exactly, for y = ±1; of equals, the first."""

def row_scores(rows: object, w: Floats, scores: Floats) -> None:
    """The score of each row, rounded; equal rows have equal scores."""

def filtered_signs(
    rows: object, y: Signs, w: Floats, extra: int, floor: float, signs: Signs, seconds: float
) -> None:
    """The sign of each score times y where floating point can tell, 0 where it cannot."""

def exact_signs(
    rows: object, y: Signs, indices: Integers, w: Floats, signs: Signs, seconds: float
) -> None:
    """The sign of the score times y for each of these rows, exactly."""

def sure_signs(rows: object, w: Floats, signs: Signs, seconds: float) -> None:
    """For the verifier: write the signs of scores that are beyond rounding."""

def cone_tree_bound(
    above: NDArray[np.int64],
    opposite: NDArray[np.int64],
    weights: NDArray[np.int64],
    tree: NDArray[np.uint8],
    seconds: float,
) -> int:
    """For the verifier: the least weight of errors that a tree of cones proves; −1 if it is none.

    `above` bounds each row's score at each vector from above, `opposite` that at its opposite.
    """

def count_places(rows: object, tens: Floats, places: Integers, seconds: float) -> None:
    """Raise the decimal places of each column to what its values need; −1 if 22 would not do."""

def column_ranges(
    rows: object, lowest: Integers, highest: Integers, greatest: Floats, seconds: float
) -> None:
    """Of each column the least and the greatest power of two in its entries, and its largest size.

    Every entry is an integer times 2^lowest, and below 2^highest; 0 and 1 if all are 0.
    """

def entry_residues(
    columns: Integers,
    values: Floats,
    lowest: Integers,
    tens: Floats,
    prime: int,
    found: Integers,
    seconds: float,
) -> None:
    """The residues of entries, each scaled as its column is."""

def sum_of_rows(
    rows: object,
    lowest: Integers,
    tens: Floats,
    indices: Integers,
    factors: Integers,
    prime: int,
    sums: Integers,
    seconds: float,
) -> None:
    """Σ factor · row modulo the prime, column by column."""

def score_residues(
    rows: object,
    lowest: Integers,
    tens: Floats,
    indices: Integers,
    w: Integers,
    b: int,
    prime: int,
    scores: Integers,
    seconds: float,
) -> None:
    """row·w + b modulo the prime, for some rows."""

def eliminate_columns(
    M: Floats,
    done: int,
    start: int,
    prime: int,
    factors: Floats,
    found: NDArray[np.bool_],
    seconds: float,
) -> int:
    """Eliminate in the columns from `start` on, as many as `found`, below the rows that are done.

    Whole rows are swapped, and the new pivot rows are brought up to date. Returns the rank.
    """

def reduce_block(M: Floats, first_row: int, last_row: int, first_column: int, prime: int) -> None:
    """Residues of whole numbers, in these rows and from this column on."""

def sparse_echelon(
    indptr: Integers,
    indices: Integers,
    data: Integers,
    order: Integers,
    width: int,
    prime: int,
    most: int,
    seconds: float,
) -> (
    tuple[
        tuple[Integers, Integers, Integers, Integers, Integers],
        Integers,
        Integers,
        Integers,
        Integers,
    ]
    | None
):
    """Sparse rows in echelon form modulo a prime, the free columns, and a null vector for each.

    Of the row that begins in column j, with a 1: where its other entries begin and end, in arrays
    of columns and values, and the row it came from; −1 of free columns. The null vectors are 1 in
    their columns and 0 in the other free ones: starts, columns and values. None if all this is too
    much work, or the vectors have over `most` entries.
    """

def rank_below(
    indptr: Integers, indices: Integers, data: Integers, width: int, prime: int, seconds: float
) -> int:
    """For the verifier: the rank of sparse rows modulo a prime; −1 if it takes too much work."""

def doubled_sums(
    A: Floats,
    group: Integers,
    alpha: Floats,
    n_groups: int,
    values: Floats,
    sizes: Floats,
    seconds: float,
) -> None:
    """The last rows (bases) plus Σ αᵢ(aᵢ − base) in doubled precision, and Σ|terms|."""

# The search for separability: nearest points, passes, column statistics.

def nearest_point(
    A: Floats,
    group: NDArray[np.int64],
    bases: NDArray[np.int64],
    columns: NDArray[np.int64],
    alpha: Floats,
    Qt: Floats,
    R: Floats,
    point: Floats,
    along: Floats,
    size: NDArray[np.int64],
    is_active: NDArray[np.bool_],
    most_rounds: int,
    seconds: float,
) -> int:
    """Go on from the active rows to the nearest point, by Wolfe's method; how it ended."""

def least_scores(
    rows: object,
    y: NDArray[np.int8],
    w_hat: Floats,
    keep: int,
    extra: int,
    floor: float,
    seconds: float,
) -> tuple[NDArray[np.int64], Floats, Floats, Floats]:
    """The rows of the least scores of each class, the scores, and bounds on the least of each."""

def column_extents(rows: object, seconds: float) -> tuple[Floats, Floats, int, float, int, int]:
    """Least and greatest entries, the longest row and its square, what is stored and is not 0."""

def class_means(rows: object, y: NDArray[np.int8], seconds: float) -> Floats:
    """The mean of each column over the rows of class -1, then over those of class +1."""

def rough_perceptron(
    rows: object,
    y: NDArray[np.int8],
    with_bias: bool,
    most_epochs: int,
    w: Floats,
    delayed: Floats,
    seconds: float,
) -> tuple[float, bool]:
    """Epochs until one has no mistakes: how many examples were presented, and whether it did."""

def take_out_one_sided(
    indptr: NDArray[Any],
    indices: NDArray[Any],
    data: Floats,
    column_starts: NDArray[Any],
    row_indices: NDArray[Any],
    seconds: float,
) -> tuple[NDArray[np.int64], NDArray[np.int8], NDArray[np.int64]]:
    """The columns that push all their rows to one side, their signs, and what settled each row."""

def add_weighted_gram(
    indptr: NDArray[Any],
    indices: NDArray[Any],
    data: Floats,
    weights: Floats,
    G: Floats,
    seconds: float,
) -> None:
    """Add AᵀDA on and below the diagonal to G, in column-major order."""

# The search for fewest errors: conflicts, covering, line search.

FORBIDDEN: float  # the cost of a row that a walk is to avoid: more than any cover
RIGHT: float  # a score above this is taken to be positive: rows and planes have length 1

def enumerate_conflicts(
    at: object,
    cost: Floats,
    x: Floats,
    found: NDArray[np.int64],
    count: int,
    sharpen: bool,
    is_late: Callable[[], bool],
) -> tuple[bool, int]:
    """Walk to the conflict of the least cost: whether `FORBIDDEN` rows are unavoidable, and count.

    Conflicts that x leaves uncovered go into `found`, where there are `count`, a line each, filled
    up with −1. With `sharpen` the walk goes on to what x covers less.
    """

def descend(
    U: Floats,
    weights: Floats,
    plane: Floats,
    steps: int,
    bit_generator: object,
    is_late: Callable[[], bool],
) -> float:
    """Line searches from a plane, which becomes the last of the best ones; its loss."""

def cover_sums(table: NDArray[np.int64], x: Floats, sums: Floats) -> None:
    """Σ x over the rows of each line of the table, up to its first negative number."""

def search_cones(
    rows: Floats,
    weights: Floats,
    upper: float,
    most_nodes: int,
    most_depth: int,
    is_late: Callable[[], bool],
) -> tuple[bool, float, list[float], bytes]:
    """Halve cones of planes: whether all were settled, the fewest errors, a plane, the tree.

    The plane is empty if none has less than `upper`. A byte of the tree is 255 for a settled cone,
    or 6·a + b where the edge from corner a to corner b is halved; the half with a comes first.
    """
