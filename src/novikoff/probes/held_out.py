"""Held-out accuracy of averaged perceptrons, for all concepts at once.

The perceptron presents row after row, and every labelling has weights of its own. Rows are taken in
blocks: scores of a block for all labellings are one product of matrices, each mistake corrects the
scores of the rows behind it in the block by their Gram matrix, and the block's updates are one more
product. On a GPU one kernel makes the corrections of a block. In exact arithmetic these are the
textbook's updates, one by one.

Columns are brought to mean 0 and deviation 1 on the training rows first.
"""

from functools import cache
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.progress import Deadline
from novikoff.errors import OptionError
from novikoff.matrix.rows import Floats
from novikoff.probes.devices import Device

EPOCHS = 10
BLOCK = 64  # rows presented between two products of matrices
GPU_BLOCK = 128  # a GPU reads the weights slower than it multiplies


class HeldOut(NamedTuple):
    """Accuracy and area under the ROC curve on the test rows, one number a labelling."""

    accuracy: Floats
    auc: Floats


def split(
    n: int, groups: NDArray[np.intp] | None, share: float, rng: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows to learn from and rows to test on; a group is wholly in one of the two."""
    given: Any = share
    if isinstance(given, bool) or not isinstance(given, Real) or not 0 < share < 1:
        raise OptionError(f"test must be a share of the rows between 0 and 1; got {share!r}.")
    of_group = np.arange(n) if groups is None else groups
    count = int(of_group.max()) + 1
    chosen = rng.permutation(count)[: max(1, min(count - 1, round(float(share) * count)))]
    tested = np.isin(of_group, chosen)
    train, test = np.flatnonzero(~tested), np.flatnonzero(tested)
    if len(train) == 0 or len(test) == 0:
        raise OptionError(f"{n} rows cannot be split into some to learn from and some to test on.")
    return train, test


def held_out_scores(
    X: Any,
    Y: NDArray[np.int8],
    rows: tuple[NDArray[np.intp], NDArray[np.intp]],
    device: Device,
    deadline: Deadline,
) -> HeldOut:
    """Learn the labellings (columns of `Y`) on the first rows, and test them on the second."""
    xp = device.xp
    train, test = rows
    mean, deviation = _moments(X, train, device)
    size = max(1, device.batch_bytes // (8 * (5 * X.shape[1] + len(train))))
    accuracy, auc = [], []
    for start in range(0, Y.shape[1], size):
        part = Y[:, start : start + size]
        w, b = averaged_perceptrons(X, part, train, (mean, deviation), device, deadline)
        scores = np.empty((len(test), part.shape[1]))
        for at in range(0, len(test), BLOCK * 16):
            chosen = test[at : at + BLOCK * 16]
            block = (device.cast(X[device.array(chosen), :], xp.float64) - mean) / deviation
            scores[at : at + BLOCK * 16] = device.host(block @ w + b)
        accuracy.append(((scores >= 0) == (part[test] > 0)).mean(axis=0))
        auc.append(_areas(scores, part[test] > 0))
    return HeldOut(np.concatenate(accuracy), np.concatenate(auc))


def _moments(X: Any, rows: NDArray[np.intp], device: Device) -> tuple[Any, Any]:
    """Means and deviations of the columns over some rows; 1 for a column that does not vary."""
    xp, d = device.xp, X.shape[1]
    step = max(1, (1 << 22) // d)
    blocks = [rows[start : start + step] for start in range(0, len(rows), step)]
    mean = xp.zeros(d, dtype=xp.float64)
    for chosen in blocks:
        mean = mean + xp.sum(device.cast(X[device.array(chosen), :], xp.float64), axis=0)
    mean = mean / len(rows)
    square = xp.zeros(d, dtype=xp.float64)
    for chosen in blocks:
        centred = device.cast(X[device.array(chosen), :], xp.float64) - mean
        square = square + xp.sum(centred * centred, axis=0)
    deviation = xp.sqrt(square / len(rows))
    return mean, xp.where(deviation > 0.0, deviation, xp.ones_like(deviation))


def averaged_perceptrons(
    X: Any,
    Y: NDArray[np.int8],
    train: NDArray[np.intp],
    moments: tuple[Any, Any],
    device: Device,
    deadline: Deadline,
) -> tuple[Any, Any]:
    """The average over all rounds of every labelling's perceptron weights, and of its bias."""
    xp = device.xp
    mean, deviation = moments
    count, d = Y.shape[1], X.shape[1]
    w = xp.zeros((d + 1, count), dtype=xp.float64)
    # A row's updates, each times the rounds that end after it: those in whose weights it is.
    kept = xp.zeros((len(train), count), dtype=xp.float64)
    rounds = EPOCHS * len(train)
    size = BLOCK if device.name == "cpu" else GPU_BLOCK
    blocks = [slice(start, start + size) for start in range(0, len(train), size)]

    def block_of(part: slice) -> Any:
        values = device.cast(X[device.array(train[part]), :], xp.float64)
        ones = xp.ones((values.shape[0], 1), dtype=xp.float64)
        return device.concat([(values - mean) / deviation, ones], axis=1)

    for epoch in range(EPOCHS):
        deadline.stage(f"averaged perceptrons of {count} labellings, epoch {epoch + 1} of {EPOCHS}")
        for part in blocks:
            deadline.check()
            block = block_of(part)
            signs = device.array(Y[train[part]].astype(np.float64))
            updates = _updates(block @ w, block @ block.T, signs, device)
            w += block.T @ updates
            before = epoch * len(train) + part.start
            ahead = rounds - before - xp.arange(block.shape[0], dtype=xp.float64)
            kept[part, :] += ahead[:, None] * updates
    sums = xp.zeros_like(w)
    for part in blocks:
        deadline.check()
        sums += block_of(part).T @ kept[part, :]
    average = sums / rounds
    return average[:-1, :], average[-1, :]


def _updates(scores: Any, gram: Any, signs: Any, device: Device) -> Any:
    """y where a row is a mistake when its turn comes, else 0; `scores` are those at the start."""
    xp = device.xp
    updates = xp.zeros_like(signs)
    rows, count = signs.shape
    if hasattr(xp, "ElementwiseKernel"):
        _gpu_updates(xp)(scores, gram, signs, rows, count, updates, size=count)
        return updates
    for i in range(int(rows)):
        mistake = signs[i, :] * scores[i, :] <= 0.0
        updates[i, :] = xp.where(mistake, signs[i, :], xp.zeros_like(signs[i, :]))
        scores[i + 1 :, :] = scores[i + 1 :, :] + gram[i + 1 :, i][:, None] * updates[i, :]
    return updates


@cache
def _gpu_updates(cupy: Any) -> Any:
    """The loop over rows as one kernel, a thread a labelling: a kernel a row takes longer."""
    return cupy.ElementwiseKernel(
        "raw float64 scores, raw float64 gram, raw float64 signs, int32 rows, int32 count",
        "raw float64 updates",
        """
        for (int row = 0; row < rows; ++row) {
            double score = scores[row * count + i];
            for (int before = 0; before < row; ++before)
                score += gram[row * rows + before] * updates[before * count + i];
            const double sign = signs[row * count + i];
            updates[row * count + i] = sign * score <= 0.0 ? sign : 0.0;
        }
        """,
        "averaged_perceptron_updates",
    )


def _areas(scores: Floats, positive: NDArray[np.bool_]) -> Floats:
    """The areas under the ROC curves (Mann and Whitney): NaN where a class is missing."""
    areas = np.full(scores.shape[1], np.nan)
    for j, (of_column, above) in enumerate(zip(scores.T, positive.T, strict=True)):
        high, low = np.sort(of_column[above]), np.sort(of_column[~above])
        if len(high) and len(low):
            # Pairs in the right order count 1, ties ½.
            right = np.searchsorted(low, high, "left").sum()
            right += np.searchsorted(low, high, "right").sum()
            areas[j] = right / (2 * len(high) * len(low))
    return areas
