"""Check the attributes of a learner that was read from a file, before anything uses them.

Compiled loops trust shapes and indices, and the score of a NaN means nothing. So every attribute is
asked for its type, its shape, its range and what it refers to; one that is missing, and one that
nobody asked for, make the file none of ours.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.core import sparse as sp
from novikoff.errors import FileError, NovikoffError
from novikoff.estimators.kernels import reads_gamma
from novikoff.estimators.network import Network
from novikoff.learners.budget import Memory
from novikoff.learners.exact_run import ExactAverage
from novikoff.learners.pocket import CHANGES, KEPT, TRIAL, Past
from novikoff.learners.run import Run
from novikoff.learners.status import Status
from novikoff.learners.voted import History
from novikoff.separability.fewest.result import ErrorBounds
from novikoff.separability.verdicts import Interval

Shape = tuple[int | None, ...]


class Contents:
    """The fitted attributes of an estimator; what nobody has taken out does not belong there."""

    def __init__(self, estimator: Any) -> None:
        options = estimator.get_params(deep=False)
        self._left = {k: v for k, v in vars(estimator).items() if k not in options}
        self.d = whole_number("n_features_in_", self.take("n_features_in_"), least=1)
        self.classes = _classes(self.take("classes_"))
        names = self.take("feature_names_in_", None)
        if names is not None:
            _check_shape("feature_names_in_", names, (self.d,), "OU")

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return len(self.classes)

    @property
    def n_planes(self) -> int:
        """How many runs there are: one for two classes, otherwise one a class."""
        return 1 if self.n_classes == 2 else self.n_classes

    def take(self, name: str, *default: Any) -> Any:
        """One attribute, which must be there unless a default is given."""
        if name not in self._left and not default:
            raise FileError(f"{name} is missing.")
        return self._left.pop(name, *default)

    def floats(self, name: str, shape: Shape) -> NDArray[np.float64]:
        """An attribute that is finite float64 numbers of a shape (None: any length)."""
        return finite_array(name, self.take(name), shape)

    def check_all_taken(self) -> None:
        """Raise `FileError` if something is left."""
        if self._left:
            raise FileError(f"{min(self._left)!r} cannot be part of a model.")


def _classes(labels: Any) -> NDArray[Any]:
    _check_shape("classes_", labels, (None,), "biufUSO")
    if len(labels) < 2:
        raise FileError("classes_ has fewer than two classes.")
    kinds = {type(label) for label in labels.tolist()}
    if len(kinds) != 1 or not kinds <= {bool, int, float, str, bytes}:
        raise FileError("classes_ holds labels of several kinds.")
    if not (labels[:-1] < labels[1:]).all():
        raise FileError("classes_ is not sorted.")
    return np.asarray(labels)


def _check_shape(name: str, value: Any, shape: Shape, kinds: str) -> None:
    if not isinstance(value, np.ndarray) or value.dtype.kind not in kinds:
        raise FileError(f"{name} is not an array of the right kind.")
    fits = len(shape) == value.ndim and all(
        wanted is None or wanted == length
        for wanted, length in zip(shape, value.shape, strict=True)
    )
    if not fits:
        wanted_shape = ", ".join("any" if n is None else str(n) for n in shape)
        raise FileError(f"{name} has the shape {value.shape}, and ({wanted_shape}) is needed.")


def finite_array(name: str, value: Any, shape: Shape) -> NDArray[np.float64]:
    """Finite float64 numbers of a shape (None: any length)."""
    _check_shape(name, value, shape, "f")
    if value.dtype != np.float64 or not np.isfinite(value).all():
        raise FileError(f"{name} must hold finite float64 numbers.")
    return np.asarray(value)


def integers(
    name: str, value: Any, shape: Shape, *, least: int = 0, below: int | None = None
) -> NDArray[np.int64]:
    """Int64 numbers of a shape, from `least` on and below `below`."""
    _check_shape(name, value, shape, "i")
    if value.dtype != np.int64:
        raise FileError(f"{name} must hold int64 numbers.")
    if value.size and (value.min() < least or (below is not None and value.max() >= below)):
        raise FileError(f"{name} holds a number out of range.")
    return np.asarray(value)


def whole_number(name: str, value: Any, *, least: int = 0) -> int:
    """A whole number of at least `least` that int64 holds."""
    if type(value) is not int or not least <= value < 2**63:
        raise FileError(f"{name} must be a whole number of at least {least}; got {value!r:.40}.")
    return value


def numbers(name: str, value: Any) -> float:
    """A finite number."""
    if type(value) not in (int, float) or not np.isfinite(value):
        raise FileError(f"{name} must be a finite number; got {value!r:.40}.")
    return float(value)


def list_of(name: str, value: Any, length: int | None, *kinds: type) -> list[Any]:
    """A list of values of these kinds."""
    if type(value) is not list or (length is not None and len(value) != length):
        raise FileError(f"{name} must be a list of {length}.")
    if not all(type(item) in kinds for item in value):
        raise FileError(f"{name} holds something of another kind.")
    return value


def rationals(name: str, value: Any, length: int) -> list[Fraction]:
    """So many rational numbers."""
    return list_of(name, value, length, Fraction)


def rational_array(name: str, value: Any, shape: Shape) -> None:
    """An array of rational numbers."""
    _check_shape(name, value, shape, "O")
    if not all(type(item) is Fraction for item in value.flat):
        raise FileError(f"{name} must hold rational numbers.")


def matrix(name: str, value: Any, d: int) -> Any:
    """Rows of d finite numbers, dense or CSR (whose indices were checked when it was read)."""
    if sp.issparse(value):
        if value.shape[1] != d:
            raise FileError(f"{name} has {value.shape[1]} columns, and {d} are needed.")
        stored = value.data
    else:
        _check_shape(name, value, (None, d), "biuf")
        stored = value
    if stored.dtype.kind == "f" and not np.isfinite(stored).all():
        raise FileError(f"{name} must hold finite numbers.")
    return value


def status(name: str, value: Any) -> None:
    """A status."""
    if not isinstance(value, Status):
        raise FileError(f"{name} is not a status.")


def check_estimator(estimator: Any) -> None:
    """Raise `FileError` unless the estimator could have been fitted to be what it is."""
    try:
        estimator._check_options()
    except NovikoffError as error:
        raise FileError(f"an option that cannot be: {error}") from error
    contents = Contents(estimator)
    CHECKS[type(estimator).__name__](estimator, contents)
    contents.check_all_taken()


def _check_report(contents: Contents, runs: int) -> None:
    """What every threshold classifier says of its runs; it may have made none yet."""
    list_of("_random_states", contents.take("_random_states"), contents.n_planes, RANDOM_STATE)
    factors = contents.floats("_class_factors", (contents.n_classes,))
    if (factors < 0).any():
        raise FileError("_class_factors holds a negative number.")
    epochs = whole_number("n_iter_", contents.take("n_iter_"))
    whole_number("n_mistakes_", contents.take("n_mistakes_"))
    shape = (epochs,) if runs == 1 else (runs, epochs)
    integers("mistakes_per_epoch_", contents.take("mistakes_per_epoch_"), shape)
    status("status_", contents.take("status_"))
    list_of("statuses_", contents.take("statuses_"), runs, Status)


def _check_planes(contents: Contents) -> None:
    contents.floats("coef_", (contents.n_planes, contents.d))
    contents.floats("intercept_", (contents.n_planes,))


def _check_errors(contents: Contents) -> None:
    """What a last pass over a cluster counted, if there was one."""
    errors = contents.take("n_errors_", None)
    if isinstance(errors, np.ndarray):
        integers("n_errors_", errors, (contents.n_planes,))
    elif errors is not None:
        whole_number("n_errors_", errors)


def _check_exact_planes(estimator: Any, contents: Contents) -> None:
    if estimator.arithmetic == "exact":
        shape = (contents.n_planes, contents.d)
        rational_array("exact_coef_", contents.take("exact_coef_"), shape)
        rational_array("exact_intercept_", contents.take("exact_intercept_"), shape[:1])


def _check_weights_of_each(name: str, contents: Contents) -> None:
    for w in list_of(name, contents.take(name), contents.n_planes, np.ndarray):
        finite_array(name, w, (contents.d + 1,))


def _check_perceptron(estimator: Any, contents: Contents) -> None:
    _check_report(contents, contents.n_planes)
    _check_planes(contents)
    _check_errors(contents)
    _check_exact_planes(estimator, contents)
    length = contents.d + bool(estimator.fit_intercept)
    kinds = (list,) if estimator.arithmetic == "exact" else (type(None),)
    for weights in list_of("_rational", contents.take("_rational"), contents.n_planes, *kinds):
        if weights is not None:
            rationals("_rational", weights, length)
    proof = contents.take("certificate_", None)
    if isinstance(proof, list):
        list_of("certificate_", proof, contents.n_planes, Certificate, type(None))
    elif proof is not None and not isinstance(proof, Certificate):
        raise FileError("certificate_ is not a certificate.")


def _check_averaged(estimator: Any, contents: Contents) -> None:
    joint = estimator.multi_class == "joint" and contents.n_classes > 2
    _check_report(contents, 1 if joint else contents.n_planes)
    _check_planes(contents)
    _check_errors(contents)
    _check_exact_planes(estimator, contents)
    _check_weights_of_each("_last", contents)
    _check_weights_of_each("_delayed", contents)
    for rounds in list_of("_rounds", contents.take("_rounds"), contents.n_planes, int):
        whole_number("_rounds", rounds)
    contents.floats("last_coef_", (contents.n_planes, contents.d))
    contents.floats("last_intercept_", (contents.n_planes,))
    length = contents.d + bool(estimator.fit_intercept)
    kinds = (ExactAverage,) if estimator.arithmetic == "exact" else (type(None),)
    for average in list_of("_rational", contents.take("_rational"), contents.n_planes, *kinds):
        if average is not None:
            rationals("weights", average.weights, length)
            rationals("total", average.total, length)
            whole_number("rounds", average.rounds)
            if average.run is not None:
                _check_run(average.run)


def _check_run(run: Any) -> None:
    if type(run) is not Run or type(run.outgrown) is not bool:
        raise FileError("malformed run record.")
    status("status", run.status)
    integers("mistakes_per_epoch", run.mistakes_per_epoch, (None,))


def _check_pocket(estimator: Any, contents: Contents) -> None:  # noqa: ARG001
    _check_report(contents, contents.n_planes)
    _check_planes(contents)
    one = contents.n_planes == 1
    for past in list_of("_pasts", contents.take("_pasts"), contents.n_planes, Past):
        finite_array("kept", past.kept, (contents.d + 1,))
        finite_array("working", past.working, (contents.d + 1,))
        lengths = integers("run_lengths", past.run_lengths, (None,))
        tally = integers("tally", past.tally, (4,), below=2**62)
        # Where the next run length is written is counted from these.
        if tally[CHANGES] != len(lengths) or tally[TRIAL] > KEPT:
            raise FileError("tally does not fit the run lengths.")
        if tally[TRIAL] == KEPT and not len(lengths):
            raise FileError("tally speaks of weights that were never kept.")
    lengths = contents.take("run_lengths_")
    for each in (
        [lengths] if one else list_of("run_lengths_", lengths, contents.n_planes, np.ndarray)
    ):
        integers("run_lengths_", each, (None,))
    bound = contents.take("bound_", None)
    if bound is not None:
        list_of("bound_", [bound] if one else bound, contents.n_planes, ErrorBounds)
    for name, check in (("n_errors_", whole_number), ("training_error_", numbers)):
        value = contents.take(name, None)
        if value is None:
            continue
        if one:
            check(name, value)
        elif name == "n_errors_":
            integers(name, value, (contents.n_planes,))
        else:
            finite_array(name, value, (contents.n_planes,))


def _check_voted(estimator: Any, contents: Contents) -> None:  # noqa: ARG001
    _check_report(contents, contents.n_planes)
    _check_weights_of_each("_last", contents)
    chunks = contents.take("_chunks")
    if type(chunks) is not list:
        raise FileError("_chunks must be a list.")
    stored = sum(matrix("_chunks", chunk, contents.d).shape[0] for chunk in chunks)
    for history in list_of("_histories", contents.take("_histories"), contents.n_planes, History):
        room = len(integers("mistaken", history.mistaken, (None,)))
        size = int(integers("size", history.size, (1,), below=room + 1)[0])
        integers("mistaken", history.mistaken[:size], (size,), below=stored)
        finite_array("push", history.push, (room,))
        integers("survived", history.survived, (room + 1,), below=2**62)


def _check_kernel(estimator: Any, contents: Contents) -> None:
    _check_report(contents, contents.n_planes)
    if not numbers("gamma_", contents.take("gamma_")) > 0 and reads_gamma(estimator.kernel):
        raise FileError("gamma_ must be positive.")
    store = contents.take("_store")
    given = estimator.kernel == "precomputed"
    if given != (store is None):
        raise FileError("_store does not fit the kernel.")
    if not given and matrix("_store", store, contents.d).dtype != np.float64:
        raise FileError("_store must hold float64 numbers.")
    support = integers("support_", contents.take("support_"), (None,), least=0 if given else -1)
    n_support = len(support)
    if given and n_support and support.max() >= contents.d:
        raise FileError("support_ holds a row that is not there.")
    if not given and store.shape[0] != n_support:
        raise FileError("_store and support_ differ in length.")
    contents.floats("dual_coef_", (contents.n_planes, n_support))
    contents.floats("intercept_", (contents.n_planes,))
    _check_memories(contents, contents.d if given else n_support)
    lengths = 0 if given else n_support
    scores = contents.take("_scores_of_support")
    for each in list_of("_scores_of_support", scores, contents.n_planes, np.ndarray):
        finite_array("_scores_of_support", each, (lengths,))
    linear = estimator._is_linear
    for w in list_of("_w", contents.take("_w"), contents.n_planes, np.ndarray):
        finite_array("_w", w, (contents.d + 1 if linear else 0,))
    if linear:
        contents.floats("coef_", (contents.n_planes, contents.d))


def _check_memories(contents: Contents, n_rows: int) -> None:
    for memory in list_of("_memories", contents.take("_memories"), contents.n_planes, Memory):
        rows = list_of("rows", memory.rows, None, int)
        if any(not 0 <= row < n_rows for row in rows):
            raise FileError("a memory holds a row that is not there.")
        for coef in list_of("coefs", memory.coefs, len(rows), float, int):
            numbers("coefs", coef)
        whole_number("mistakes", memory.mistakes)
        numbers("deviation", memory.deviation)
        numbers("scale", memory.scale)


def _check_network(estimator: Any, contents: Contents) -> None:  # noqa: ARG001
    network = contents.take("_network")
    if type(network) is not Network:
        raise FileError("_network is not a network.")
    W = finite_array("W", network.W, (None, contents.d))
    hidden, outputs = len(W), contents.n_planes
    finite_array("b", network.b, (hidden,))
    finite_array("v", network.v, (outputs, hidden))
    finite_array("c", network.c, (outputs,))
    contents.floats("W_", (hidden, contents.d))
    contents.floats("b_", (hidden,))
    if outputs == 1:
        contents.floats("v_", (hidden,))
        numbers("c_", contents.take("c_"))
    else:
        contents.floats("v_", (outputs, hidden))
        contents.floats("c_", (outputs,))
    for name in ("n_errors_", "n_starts_", "n_iter_"):
        whole_number(name, contents.take(name, 0))
    for name in ("loss_", "training_error_"):
        numbers(name, contents.take(name, 0.0))
    status("status_", contents.take("status_", Status.FAULTLESS))


def _check_fewest(estimator: Any, contents: Contents) -> None:  # noqa: ARG001
    k, d = contents.n_planes, contents.d
    contents.floats("coef_", (k, d))
    contents.floats("intercept_", (k,))
    rational_array("exact_coef_", contents.take("exact_coef_"), (k, d))
    rational_array("exact_intercept_", contents.take("exact_intercept_"), (k,))
    one = k == 1
    for name, kind in (
        ("errors_", ErrorBounds),
        ("wrong_rows_", np.ndarray),
        ("certificate_", Certificate),
    ):
        value = contents.take(name)
        list_of(name, [value] if one else value, k, kind)
        if kind is np.ndarray:
            for rows in [value] if one else value:
                integers(name, rows, (None,))
    count = contents.take("n_errors_")
    if one:
        whole_number("n_errors_", count)
    else:
        integers("n_errors_", count, (k,))


def _check_maximum_margin(estimator: Any, contents: Contents) -> None:  # noqa: ARG001
    if contents.n_classes != 2:
        raise FileError("a maximum margin is between two classes.")
    _check_planes(contents)
    margin = contents.take("margin_")
    list_of("margin_", [margin], 1, Interval)
    if not 0 <= numbers("margin_", margin.lower) <= numbers("margin_", margin.upper):
        raise FileError("margin_ is not an interval of margins.")
    rows = integers("support_", contents.take("support_"), (None,))
    if matrix("support_vectors_", contents.take("support_vectors_"), contents.d).shape[0] != len(
        rows
    ):
        raise FileError("support_vectors_ and support_ have different lengths.")
    list_of("certificate_", [contents.take("certificate_")], 1, Certificate)


CHECKS: dict[str, Callable[[Any, Contents], None]] = {
    "AveragedPerceptron": _check_averaged,
    "FewestErrorsClassifier": _check_fewest,
    "KernelPerceptron": _check_kernel,
    "MaximumMarginClassifier": _check_maximum_margin,
    "Perceptron": _check_perceptron,
    "PocketPerceptron": _check_pocket,
    "ReluNetwork": _check_network,
    "VotedPerceptron": _check_voted,
}
RANDOM_STATE = np.random.RandomState
