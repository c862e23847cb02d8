"""The base of the online learners, which learn from a stream, one example a call."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy import ndarray
from numpy.typing import NDArray

import novikoff
from novikoff._core import (
    learn_dense,
    learn_large_sparse,
    learn_rows,
    learn_sparse,
    sign_dense,
    sign_large_sparse,
    sign_sparse,
)
from novikoff.core.options import Tie, check_count, check_positive, tie_sign
from novikoff.errors import DataError, LabelError, NotFiniteError, OptionError, ShapeError
from novikoff.exact.bounds import norm_bound
from novikoff.learners import online
from novikoff.learners.online import LARGE, MISTAKE, NOT_FINITE, OUTGROWN, TRIAL_DUE, WRONG_WIDTH
from novikoff.learners.unit import check_weights
from novikoff.matrix.problem import check_float64_holds, check_lengths, held_floats, matrix_of
from novikoff.matrix.rows import Floats, rows_of
from novikoff.stream.account import Account, Tally, Window, account_of
from novikoff.stream.names import Hashing, Names, Vocabulary, number_or_none

DOUBLE = np.dtype(np.float64)
FIRST_ROOM = 16  # columns there is room for before the first name has come

# An example: a flat array of numbers, or numbers and texts by name.
Example = Any


class OnlineClassifier(ABC):
    """The base of the online learners: examples, labels, the account, the window.

    A subclass says which learner it is (`_kind`), how many rows of weights that takes (`_depth`),
    by which weights it predicts (`_predicting`), and what a trial is (`_trial`).
    """

    _kind: int
    _depth: int

    def __init__(
        self,
        *,
        eta0: float = 1.0,
        tie: Tie = "mistake",
        fit_intercept: bool = True,
        classes: Sequence[Hashable] = (-1, 1),
        window: int = 1000,
        keep_rows: bool = False,
        hashing: int | None = None,
    ) -> None:
        check_positive("eta0", eta0)
        check_count("window", window)
        if len(classes) != 2 or classes[0] == classes[1]:
            raise OptionError(f"classes must be two labels, the second one +1; got {classes!r}.")
        self.eta0, self.tie, self.fit_intercept = float(eta0), tie, bool(fit_intercept)
        self.classes, self.window = (classes[0], classes[1]), int(window)
        self.keep_rows, self.hashing = bool(keep_rows), hashing
        self._sign_of: dict[Hashable, float] = {classes[0]: -1.0, classes[1]: 1.0}
        bias = 1.0 if fit_intercept else 0.0
        self._numbers = online.numbers_of(self.eta0, tie_sign(tie), bias)
        self._counts = online.counts_of(self._kind, self.window)
        self._W = np.zeros((self._depth, 0))
        self._names: Names | None = None if hashing is None else Hashing(hashing)
        self._memory: Window | None = Window(self.window) if keep_rows else None
        self._buffer, self._room = np.empty(0), hashing or 0
        if hashing is not None:
            self._W = np.zeros((self._depth, hashing + 1))

    @abstractmethod
    def _prediction_weights(self) -> Floats:
        """ŵ as it predicts now."""

    @abstractmethod
    def _trial(self) -> None:
        """The weights at work have run longer than those kept."""

    def learn(self, x: Example, y: Hashable) -> bool:
        """Learn from one example; return whether it was a mistake."""
        try:
            sign = self._sign_of[y]
        except (KeyError, TypeError):
            raise self._unknown_label(y) from None
        if (
            x.__class__ is ndarray
            and x.dtype is DOUBLE
            and x.ndim == 1
            and x.flags.carray
            and self._names is None
        ):
            row: Any = x
            outcome = learn_dense(x, sign, self._W, self._numbers, self._counts)
        elif x.__class__ is dict and self._names is not None:
            row = self._names.row(x, grow=True)
            if self._names.size > self._room:
                self._make_room(self._names.size)
            values, columns = row
            outcome = learn_sparse(values, columns, sign, self._W, self._numbers, self._counts)
        else:
            row = self._row_for(x)
            outcome = self._present(row, sign)
        if 0 <= outcome <= MISTAKE and self._memory is None:
            return outcome == MISTAKE
        return self._settle(outcome, x, row, sign)

    def learn_many(self, X: object, y: object) -> NDArray[np.bool_]:
        """Learn from many examples in their order; return which were mistakes.

        The same as calling `learn` on each row, bit for bit. `X` is a matrix or a sequence of
        dicts. If a row cannot be learned, those before it have been.
        """
        labels = np.asarray(y).tolist() if not isinstance(y, (list, tuple)) else y
        if isinstance(X, (list, tuple)) and X and isinstance(X[0], Mapping):
            if len(X) != len(labels):
                raise ShapeError(f"X has {len(X)} rows, but y has {len(labels)} labels.")
            return np.array([self.learn(x, label) for x, label in zip(X, labels, strict=True)])
        matrix = matrix_of(X)
        matrix = held_floats(matrix)
        check_lengths(matrix, np.asarray(labels))
        self._expect_width(matrix.shape[1])
        try:
            signs = np.array([self._sign_of[label] for label in labels])
        except (KeyError, TypeError):
            strange = next(label for label in labels if label not in self._sign_of)
            raise self._unknown_label(strange) from None
        return self._learn_matrix(matrix, signs)

    def _learn_matrix(self, matrix: Any, signs: Floats) -> NDArray[np.bool_]:
        outcomes = np.zeros(len(signs), np.int8)
        done = 0
        while done < len(signs):
            rows = rows_of(matrix[done:] if done else matrix)
            state = (self._W, self._numbers, self._counts)
            before = int(self._counts[online.EXAMPLES])
            try:
                learn_rows(rows, signs[done:], *state, outcomes[done:])
            finally:  # Ctrl-C can end it before its last row
                first, done = done, done + int(self._counts[online.EXAMPLES]) - before
                self._remember(matrix, signs, first, done)
            if outcomes[done - 1] == OUTGROWN:
                check_weights(self._W)
            if outcomes[done - 1] == TRIAL_DUE:
                self._trial()
        return np.asarray(outcomes == MISTAKE)

    def _remember(self, matrix: Any, signs: Floats, first: int, end: int) -> None:
        """Keep these rows in the window, as far as there is room."""
        if self._memory is not None:
            for i in range(max(first, end - self.window), end):
                self._memory.add(_row_of(matrix, i), signs[i])

    def predict(self, x: Example) -> Hashable:
        """The label of one example; a score of exactly 0 falls where the tie rule says."""
        if not self._W.shape[1]:
            return self.classes[self.tie != "-1"]
        if self._kind == online.PLAIN:
            w, norm = self._W[0], self._numbers[online.NORM]
        else:
            w = self._prediction_weights()
            norm = norm_bound(w)
        if isinstance(x, Mapping):
            values, columns = self._named_row(x, grow=False)
            side = sign_sparse(values, columns, w, norm)
            if side == LARGE:
                for name, value in x.items():
                    number_or_none(name, value)
                side = sign_large_sparse(values, columns, w, norm)
        elif x.__class__ is ndarray and x.dtype is DOUBLE and x.ndim == 1 and x.flags.carray:
            side = sign_dense(x, w, norm)
        else:
            side = sign_dense(self._as_row(x), w, norm)
        if side == WRONG_WIDTH:
            self._expect_width(len(x))
        if side == NOT_FINITE:
            raise _not_finite(np.array(list(x.values()) if isinstance(x, Mapping) else x, float))
        return self.classes[side > 0 or (side == 0 and self.tie != "-1")]

    @property
    def n_features(self) -> int:
        """How many columns there are by now."""
        if self._names is not None:
            return self._names.size
        return max(0, self._W.shape[1] - 1)

    @property
    def coef_(self) -> Floats:
        """w, one number a column, as it predicts now (a copy)."""
        return self._prediction_weights()[: self.n_features].copy()

    @property
    def intercept_(self) -> float:
        """b, as it predicts now."""
        return float(self._prediction_weights()[-1]) if self._W.shape[1] else 0.0

    @property
    def names(self) -> list[Hashable] | None:
        """The names of the columns, if they come by name and are not hashed."""
        return self._names.names if isinstance(self._names, Vocabulary) else None

    @property
    def account(self) -> Account:
        """Examples, mistakes, progressive errors, R, ‖ŵ‖, and what the theorem says of γ."""
        numbers, counts = self._numbers, self._counts
        norm = min(numbers[online.NORM], norm_bound(self._W[0])) if self._W.shape[1] else 0.0
        return account_of(
            Tally(
                examples=int(counts[online.EXAMPLES]),
                mistakes=int(counts[online.MISTAKES]),
                window=self.window,
                recent_mistakes=int(counts[online.RECENT]),
                radius=float(numbers[online.RADIUS]),
                norm=float(norm),
                drift=float(numbers[online.DRIFT]),
                eta0=self.eta0,
            )
        )

    def window_verdict(self, **options: Any) -> Any:
        """Whether a plane separates the last `window` examples, proven: `novikoff.separate`."""
        if self._memory is None:
            raise OptionError("the last examples were not kept: ask for them with keep_rows=True.")
        if not len(self._memory):
            raise ShapeError("no example has come yet, so there is nothing to judge.")
        labels = np.array(self.classes)[(self._memory.signs > 0).astype(int)]
        options.setdefault("fit_intercept", self.fit_intercept)
        return novikoff.separate(self._memory.matrix(self.n_features), labels, **options)

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """All that was learned and counted, for a checkpoint."""
        arrays = {"W": self._W, "numbers": self._numbers, "counts": self._counts}
        return arrays if self._memory is None else arrays | self._memory.arrays()

    def _set_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `_arrays` gave."""
        self._W, self._numbers, self._counts = arrays["W"], arrays["numbers"], arrays["counts"]
        self._room = max(0, self._W.shape[1] - 1)
        if self._memory is not None:
            self._memory.set_arrays(arrays)

    def _named_row(self, x: Mapping[Hashable, Any], *, grow: bool = True) -> Any:
        if self._names is None:
            if self._W.shape[1]:
                raise DataError("this stream began with arrays: give an array, not a dict.")
            self._names = Vocabulary()
            self._make_room(FIRST_ROOM)
        row = self._names.row(x, grow=grow)
        if self._names.size > self._room:
            self._make_room(self._names.size)
        return row

    def _make_room(self, columns: int) -> None:
        """Room for at least so many columns: twice as many as before, the bias last as ever."""
        W = np.zeros((self._depth, 2 * columns + 1))
        if self._W.shape[1]:
            W[:, : self._room] = self._W[:, :-1]
            W[:, -1] = self._W[:, -1]
        self._W, self._room = W, 2 * columns

    def _as_row(self, x: Example) -> Floats:
        """A flat float64 array of any list, array or row, with the numbers it has."""
        if self._names is not None:
            raise DataError("this stream began with dicts: give a dict, not an array.")
        array = np.asarray(x)
        if array.dtype is DOUBLE and array.ndim == 1 and array.flags.carray:
            return array
        if array.dtype.kind not in "biuf" or array.ndim != 1:
            array = matrix_of([list(x)] if array.ndim == 1 else x)
            if array.shape[0] != 1:
                raise ShapeError(f"learn takes one example; this has {array.shape[0]} rows.")
            array = held_floats(array)[0]
        check_float64_holds(array)
        self._expect_width(len(array))
        if len(self._buffer) != len(array):
            self._buffer = np.empty(len(array))
        self._buffer[:] = array
        return self._buffer

    def _expect_width(self, width: int) -> None:
        if self._names is not None:
            raise DataError("this stream began with dicts: give dicts, not arrays.")
        if not self._W.shape[1]:
            if width == 0:
                raise ShapeError("an example has 0 features while a minimum of 1 is required.")
            self._W = np.zeros((self._depth, width + 1))
        elif width != self._W.shape[1] - 1:
            raise ShapeError(
                f"an example has {width} features, but the first had {self.n_features}."
            )

    def _row_for(self, x: Example) -> Any:
        """An example as a flat array, or as values and columns; good until the next one comes."""
        return self._named_row(x) if isinstance(x, Mapping) else self._as_row(x)

    def _present(self, row: Any, sign: float) -> int:
        if isinstance(row, ndarray):
            return learn_dense(row, sign, self._W, self._numbers, self._counts)
        values, columns = row
        return learn_sparse(values, columns, sign, self._W, self._numbers, self._counts)

    def _learn_row(self, row: Any, sign: float, x: Example = None) -> bool:
        """`learn` for an example that `_row_for` has made (of `x`, for errors)."""
        return self._settle(self._present(row, sign), x, row, sign)

    def _settle(self, outcome: int, x: Example, row: Any, sign: float) -> bool:
        """All that is not done for every example: the window, the trial, what went wrong."""
        if outcome == WRONG_WIDTH:  # the first example of all, or one that will not do
            self._expect_width(len(row))
            outcome = self._present(row, sign)
        if outcome in (LARGE, NOT_FINITE) and isinstance(x, Mapping):
            for name, value in x.items():
                number_or_none(name, value)
        if outcome == LARGE:
            values, columns = row
            state = (self._W, self._numbers, self._counts)
            outcome = learn_large_sparse(values, columns, sign, *state)
        if outcome == NOT_FINITE:
            raise _not_finite(row)
        if outcome == OUTGROWN:
            check_weights(self._W)
        if self._memory is not None:
            self._memory.add(row, sign)
        if outcome == TRIAL_DUE:
            self._trial()
        return outcome in (MISTAKE, OUTGROWN)

    def _add_names(self, names: Sequence[Hashable]) -> None:
        """Names that a journal says were added here."""
        if names:
            self._named_row(dict.fromkeys(names, 0.0))

    def _sign(self, y: Hashable) -> float:
        try:
            return self._sign_of[y]
        except (KeyError, TypeError):
            raise self._unknown_label(y) from None

    def _unknown_label(self, y: object) -> LabelError:
        return LabelError(
            f"the label {y!r} is neither {self.classes[0]!r} nor {self.classes[1]!r}: "
            "name both in classes=(negative, positive)."
        )


def _not_finite(values: Any) -> NotFiniteError:
    at = int(np.argmin(np.isfinite(values)))
    return NotFiniteError(
        f"an example holds {values[at]} (column {at}): leave it out, or fill it in."
    )


def _row_of(matrix: Any, i: int) -> Any:
    """Row i of a matrix, as the window keeps rows."""
    if isinstance(matrix, ndarray):
        return matrix[i].astype(np.float64)
    part = slice(matrix.indptr[i], matrix.indptr[i + 1])
    return matrix.data[part].astype(np.float64), matrix.indices[part].astype(np.uint64)
