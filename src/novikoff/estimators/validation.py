"""Validate data, labels and weights given to an estimator, once."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from novikoff.errors import (
    DataError,
    LabelError,
    NotNumericError,
    OptionError,
    ShapeError,
)
from novikoff.matrix.arrays import column_names, labels_of, numpy_of, speaks_arrow
from novikoff.matrix.batches import refuse_batches
from novikoff.matrix.problem import (
    Matrix,
    check_lengths,
    check_names,
    distinct,
    held_floats,
    matrix_of,
    row_weights,
)
from novikoff.matrix.rows import Floats

BY_BATCH = (
    "only `fit`, `partial_fit` and `score` read a scan, and this can be given `batch.X` of each "
    "`batch in scan`"
)


def check_matrix(estimator: Any, X: object, *, reset: bool, exact: bool = False) -> Matrix:
    """`X` as a matrix; its columns are noted (`reset`), or compared with what was seen."""
    matrix = check_numbers(estimator, X, exact=exact)
    nameless = type(X) is np.ndarray and not hasattr(estimator, "feature_names_in_")
    # A stream asks this of every row, and scikit-learn's answer takes longer than the learning.
    if reset or not nameless or matrix.shape[1] != estimator.n_features_in_:
        note_columns(estimator, X, matrix, reset=reset)
    return matrix


def check_numbers(estimator: Any, X: object, *, exact: bool) -> Matrix:
    """`X` as a matrix, without a word to the estimator about its columns.

    With `exact`, numbers stay as they are, even those that float64 cannot hold.
    """
    refuse_batches(X, f"this method of {type(estimator).__name__}", BY_BATCH)
    matrix = matrix_of(X)
    if not exact:
        matrix = held_floats(matrix)
    return matrix


def note_columns(estimator: Any, X: object, matrix: Matrix, *, reset: bool = True) -> None:
    """Let the estimator know the columns of `X`, or compare them with those that it knows.

    scikit-learn does it; of what speaks Arrow it is given the names.
    """
    if speaks_arrow(X) and not hasattr(X, "iloc"):  # pandas may have names that are no text
        names = column_names(X)
        if names is not None:
            check_names(names, len(names))
        X = matrix[:0] if names is None else pa.table([[]] * len(names), names=list(names))
    _with_our_errors(validate_data, estimator, X, reset=reset, skip_check_array=True)


def note_width_and_names(estimator: Any, d: int, names: tuple[str, ...] | None) -> None:
    """Set the number and names of the columns, for rows that are not in a matrix."""
    estimator.n_features_in_ = d
    estimator.__dict__.pop("feature_names_in_", None)
    if names is not None:
        estimator.feature_names_in_ = np.array(names, dtype=object)


def check_labels(matrix: Matrix, y: object) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The classes in sorted order, and for each row the index of its class."""
    if y is None:
        raise LabelError("This classifier requires y to be passed, but the target y is None.")
    labels = _with_our_errors(column_or_1d, labels_of(y), warn=True)
    check_lengths(matrix, labels)
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise LabelError("Input y contains NaN or infinity: every row needs a label.")
    # What is asked of all labels is asked of the distinct ones: sorting a million takes longer than
    # an epoch over them.
    classes = distinct(labels)
    check_are_classes(classes)
    if len(classes) < 2:
        raise LabelError(f"y has one class only, {classes.tolist()[0]!r}: at least two are needed.")
    if len(classes) == 2:
        return classes, (labels == classes[1]).astype(np.intp)
    return classes, np.searchsorted(classes, labels)


def check_are_classes(labels: NDArray[Any]) -> None:
    """Raise `DataError` if these distinct labels are measurements, as of a regression."""
    # Twice each: of labels that are all different it suspects a regression.
    _with_our_errors(check_classification_targets, np.repeat(labels, 2))


def check_classes(classes: object) -> NDArray[Any]:
    """The classes that the first call of `partial_fit` must name, sorted."""
    if classes is None:
        raise LabelError("classes must be passed on the first call to partial_fit.")
    known = distinct(np.asarray(numpy_of(classes)))
    if len(known) < 2:
        raise LabelError(
            f"classes has one class only, {known.tolist()[0]!r}: at least two are needed."
        )
    return known


def index_known_labels(matrix: Matrix, y: object, classes: NDArray[Any]) -> NDArray[np.intp]:
    """For each row the index of its label among `classes`, which must contain it."""
    if y is None:
        raise LabelError("This classifier requires y to be passed, but the target y is None.")
    labels = np.atleast_1d(np.asarray(labels_of(y)))
    check_lengths(matrix, labels)
    if labels.dtype == object:
        distinct(labels)  # which says what is missing, or of another kind
    index = np.minimum(classes.searchsorted(labels), len(classes) - 1)
    unknown = classes[index] != labels
    if unknown.any():
        row = int(np.flatnonzero(unknown)[0])
        label = labels.tolist()[row]
        raise LabelError(
            f"row {row} has the label {label!r}, which is not among the "
            f"classes {classes.tolist()}: name all of them in the first call of partial_fit."
        )
    return index


def check_weights(sample_weight: object, matrix: Matrix, *, some: bool) -> Floats | None:
    """One factor for each row's step, or None if all are 1; with `some`, not all may be 0."""
    weights = row_weights(sample_weight, matrix.shape[0])
    if some and weights is not None and not weights.any():
        raise DataError("Sample weights must contain at least one non-zero number.")
    return weights


def check_random(random_state: Any) -> np.random.RandomState:
    """The generator that `random_state` stands for, or an `OptionError`."""
    try:
        generator: np.random.RandomState = check_random_state(random_state)
    except ValueError as error:
        raise OptionError(f"random_state: {error}") from error
    return generator


def class_factors(
    class_weight: object,
    classes: NDArray[Any],
    count_rows: Callable[[], NDArray[np.int64]] | None,
) -> Floats:
    """One factor for each class's steps.

    `count_rows` tells how many rows each class has, and is called only if that matters; it is None
    for `partial_fit`, which never sees them all.
    """
    if class_weight is None:
        return np.ones(len(classes))
    if isinstance(class_weight, Mapping):
        return _given_factors(class_weight, classes)
    if class_weight != "balanced":
        raise OptionError(f"class_weight must be a dict, 'balanced' or None; got {class_weight!r}.")
    if count_rows is None:
        raise OptionError(
            "class_weight 'balanced' is not supported by partial_fit, which never sees all rows: "
            "compute the weights yourself and pass them as a dict."
        )
    counts = count_rows()
    return np.asarray(counts.sum() / (len(classes) * counts), dtype=np.float64)


def _given_factors(class_weight: Mapping[Any, Any], classes: NDArray[Any]) -> Floats:
    factors: Floats = _with_our_errors(
        compute_class_weight, class_weight, classes=classes, y=classes
    )
    if not ((factors >= 0) & (factors < np.inf)).all():
        raise OptionError(f"class_weight must hold numbers of at least 0; got {class_weight!r}.")
    return factors


def in_library_of(X: Any, values: NDArray[Any]) -> Any:
    """An answer about `X` as an array of X's library, where scikit-learn is told to do so.

    That is, under `sklearn.set_config(array_api_dispatch=True)`; labels that are text stay NumPy's,
    because the array API knows numbers only.
    """
    if isinstance(X, np.ndarray) or values.dtype.kind not in "biuf":
        return values
    if not get_config()["array_api_dispatch"] or not hasattr(X, "__array_namespace__"):
        return values
    return X.__array_namespace__().asarray(values, device=X.device)


def _with_our_errors(check: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Call one of scikit-learn's checks; what it raises becomes one of our errors."""
    try:
        return check(*args, **options)
    except (DataError, ShapeError):
        raise
    except TypeError as error:
        raise NotNumericError(str(error)) from error
    except ValueError as error:
        raise DataError(str(error)) from error
