"""`novikoff.to_onnx`: a fitted estimator as an ONNX model, to predict where there is no Python.

Our estimators decide on which side a row lies without rounding. An ONNX model has float64 at most,
so a linear score is computed in twice that precision: each product with its rounding error (Dekker
1971), all of them added in pairs with the error of each sum (Ogita, Rump and Oishi 2005, "Dot2").
"""

from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from novikoff.core.options import choice, tie_sign
from novikoff.errors import MissingDependencyError, OptionError
from novikoff.estimators.linear import HyperplaneClassifier, LinearThresholdClassifier
from novikoff.estimators.network import ReluNetwork
from novikoff.matrix.rows import Floats

LINEAR = (LinearThresholdClassifier, HyperplaneClassifier)
SPLITTER = 2.0**27 + 1.0  # halves the 53 bits of a float64, so that products of halves are exact
OPSET_OF_TEXTS = 19  # the first that compares texts
OPSET, IR_VERSION = 18, 10  # of late 2022 and 2024: what runtimes in use understand


Kind = Literal["float64", "float32"]


def to_onnx(estimator: Any, *, dtype: Kind = "float64") -> Any:
    """A fitted linear learner or network as an ONNX model, whose labels are those of `predict`.

    The model takes ``X``, a tensor with a row for each sample, and gives ``label``, one class a
    row, and ``scores``, those of `decision_function` in one column for each of them. Of a
    linear learner's two classes, a label can differ from ours only if the score is nearer to 0 than
    2⁻¹⁰⁰ or so of the products it is made of; of more classes and of a network, only if rounding
    decides between two scores, or about the sign of one. Needs ``pip install "novikoff[onnx]"``.

    Parameters
    ----------
    estimator : estimator
        A fitted Perceptron, PocketPerceptron, AveragedPerceptron, FewestErrorsClassifier,
        MaximumMarginClassifier or ReluNetwork; or a scikit-learn Pipeline that ends in one, after
        scalers (standard, min-max, max-abs), SimpleImputer, OneHotEncoder and ColumnTransformer.
        With columns of text, the model has an input for each column by its name, n × 1; a category
        that the encoder does not know is zero in all its columns.
    dtype : {"float64", "float32"}, default="float64"
        The numbers that the model takes. All that it computes is float64.

    Returns
    -------
    onnx.ModelProto
        The model; ``onnx.save(model, path)`` writes it.

    Examples
    --------
    >>> import novikoff
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "no", "no", "yes"]
    >>> unit = novikoff.Perceptron().fit(X, y)
    >>> model = novikoff.to_onnx(unit)
    >>> [output.name for output in model.graph.output]
    ['label', 'scores']
    """
    choice("dtype", dtype, get_args(Kind))
    whole = estimator
    estimator = whole[-1] if isinstance(whole, Pipeline) else whole
    name = type(estimator).__name__
    if not isinstance(estimator, (*LINEAR, ReluNetwork)):
        raise OptionError(
            f"a {name} cannot become an ONNX model: only AveragedPerceptron, "
            "FewestErrorsClassifier, MaximumMarginClassifier, Perceptron, PocketPerceptron and "
            "ReluNetwork can, and a Pipeline that ends in one."
        )
    check_is_fitted(estimator)
    graph = _Graph(dtype)
    if isinstance(whole, Pipeline):
        X = _after_steps(graph, whole[:-1], whole.n_features_in_)
    else:
        X = graph.number("X", estimator.n_features_in_)
    zero_is_positive = True
    if isinstance(estimator, LINEAR):
        weights = np.column_stack([estimator.coef_, estimator.intercept_])
        scores = _linear_scores(graph, X, weights)
        if isinstance(estimator, LinearThresholdClassifier):
            zero_is_positive = tie_sign(estimator.tie) >= 0
    else:
        hidden = graph.add("Gemm", X, graph.constant(estimator.W_.T), graph.constant(estimator.b_))
        v = np.atleast_2d(estimator.v_)
        c = np.atleast_1d(np.asarray(estimator.c_, dtype=np.float64))
        rectified = graph.add("Relu", hidden)
        scores = graph.add("Gemm", rectified, graph.constant(v.T), graph.constant(c))
    label = _label(graph, scores, estimator.classes_, zero_is_positive)
    return graph.model(label, scores, estimator)


def _after_steps(graph: "_Graph", steps: Pipeline, d: int) -> str:
    """What the last step of a pipeline sees: all columns, as a matrix."""
    from novikoff.estimators.persistence.onnx_steps import columns_after, text_columns

    names = [str(name) for name in getattr(steps, "feature_names_in_", map("x{}".format, range(d)))]
    texts = text_columns(steps, names)
    if texts:
        columns = [graph.text(name) if name in texts else graph.number(name, 1) for name in names]
    else:
        X = graph.number("X", d)
        columns = [graph.add("Gather", X, graph.constant(np.array([j])), axis=1) for j in range(d)]
    return str(graph.add("Concat", *columns_after(graph, steps, columns, names), axis=1))


class _Graph:
    """An ONNX graph under construction: nodes and constants, each with a name of its own."""

    def __init__(self, dtype: Kind) -> None:
        try:
            import onnx
        except ImportError as error:
            raise MissingDependencyError(
                'ONNX models need the package onnx: pip install "novikoff[onnx]".'
            ) from error
        self.onnx = onnx
        self.dtype, self.opset = dtype, OPSET
        self.inputs: list[Any] = []
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def number(self, name: str, width: int) -> str:
        """An input of numbers, as float64."""
        kinds = self.onnx.TensorProto
        kind = kinds.DOUBLE if self.dtype == "float64" else kinds.FLOAT
        self.inputs.append(self.onnx.helper.make_tensor_value_info(name, kind, ["n", width]))
        return name if kind == kinds.DOUBLE else str(self.add("Cast", name, to=kinds.DOUBLE))

    def text(self, name: str) -> str:
        """An input of texts."""
        self.opset = OPSET_OF_TEXTS
        kind = self.onnx.TensorProto.STRING
        self.inputs.append(self.onnx.helper.make_tensor_value_info(name, kind, ["n", 1]))
        return name

    def constant(self, value: Any) -> str:
        """The name of a constant; text and numbers alike."""
        name = f"c{len(self.constants)}"
        array = np.asarray(value)
        if array.dtype.kind in "US":
            array = array.astype(object)
        self.constants.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def add(self, operation: str, *inputs: str, outputs: int = 1, **attributes: Any) -> Any:
        """Add a node, and give back the name of its output, or the names of its outputs."""
        names = [f"n{len(self.nodes)}_{k}" for k in range(outputs)]
        self.nodes.append(self.onnx.helper.make_node(operation, inputs, names, **attributes))
        return names[0] if outputs == 1 else names

    def model(self, label: str, scores: str, estimator: Any) -> Any:
        """The whole model, checked."""
        helper, kinds = self.onnx.helper, self.onnx.TensorProto
        self.nodes += [
            helper.make_node("Identity", [label], ["label"]),
            helper.make_node("Identity", [scores], ["scores"]),
        ]
        classes = self.onnx.numpy_helper.from_array(_plain(estimator.classes_)).data_type
        runs = 1 if len(estimator.classes_) == 2 else len(estimator.classes_)
        graph = helper.make_graph(
            self.nodes,
            type(estimator).__name__,
            self.inputs,
            [
                helper.make_tensor_value_info("label", classes, ["n"]),
                helper.make_tensor_value_info("scores", kinds.DOUBLE, ["n", runs]),
            ],
            self.constants,
        )
        opset = [helper.make_opsetid("", self.opset)]
        model = helper.make_model(
            graph, opset_imports=opset, ir_version=IR_VERSION, producer_name="novikoff"
        )
        self.onnx.checker.check_model(model, full_check=True)
        return model


def _plain(classes: NDArray[Any]) -> NDArray[Any]:
    """Classes as ONNX can hold them: text as objects."""
    return classes.astype(object) if classes.dtype.kind in "USO" else classes


def _linear_scores(graph: _Graph, X: str, weights: Floats) -> str:
    """x·w + b for each row of `weights` (b last), in twice the precision of float64."""
    runs, width = weights.shape
    size = 1 << (width - 1).bit_length()  # a power of two, so that sums can be taken in pairs
    W = np.zeros((1, runs, size))
    W[0, :, :width] = weights
    ones = graph.constant(1.0)
    augmented = graph.add("Pad", X, graph.constant(np.array([0, 0, 0, 1])), ones)
    more = graph.constant(np.array([0, 0, 0, size - width]))
    x = graph.add("Unsqueeze", graph.add("Pad", augmented, more), graph.constant(np.array([1])))
    product, errors = _exact_products(graph, x, W)
    axis = graph.constant(np.array([2]))
    error = graph.add("ReduceSum", errors, axis, keepdims=0)
    while size > 1:
        size //= 2
        left, right = graph.add("Split", product, outputs=2, axis=2, num_outputs=2)
        product, lost = _exact_sum(graph, left, right)
        error = graph.add("Add", error, graph.add("ReduceSum", lost, axis, keepdims=0))
    rounded = graph.add("Squeeze", product, axis)
    precise = graph.add("Add", rounded, error)
    # Beyond 10²⁹² halves overflow; what is rounded is all that there is then.
    return str(graph.add("Where", graph.add("IsNaN", error), rounded, precise))


def _exact_products(graph: _Graph, x: str, W: Floats) -> tuple[str, str]:
    """x·w rounded, and what rounding took: their sum is the product (Dekker)."""
    with np.errstate(over="ignore", invalid="ignore"):  # the graph takes what is rounded then
        large = SPLITTER * W
        W_high = large - (large - W)
    high_w, low_w = graph.constant(W_high), graph.constant(W - W_high)
    operation = _operations(graph)
    scaled = graph.add("Mul", x, graph.constant(SPLITTER))
    high = operation("Sub", scaled, operation("Sub", scaled, x))
    low = operation("Sub", x, high)
    product = operation("Mul", x, graph.constant(W))
    rest = operation("Sub", product, operation("Mul", high, high_w))
    rest = operation("Sub", rest, operation("Mul", low, high_w))
    rest = operation("Sub", rest, operation("Mul", high, low_w))
    return product, operation("Sub", operation("Mul", low, low_w), rest)


def _exact_sum(graph: _Graph, a: str, b: str) -> tuple[str, str]:
    """a + b rounded, and what rounding took (Knuth)."""
    operation = _operations(graph)
    total = operation("Add", a, b)
    b_part = operation("Sub", total, a)
    a_part = operation("Sub", total, b_part)
    return total, operation("Add", operation("Sub", a, a_part), operation("Sub", b, b_part))


def _operations(graph: _Graph) -> Callable[..., str]:
    return lambda name, left, right: str(graph.add(name, left, right))


def _label(graph: _Graph, scores: str, classes: NDArray[Any], zero_is_positive: bool) -> str:
    """The class of each row, by its scores."""
    if len(classes) == 2:
        one = graph.add("Squeeze", scores, graph.constant(np.array([1])))
        test = "GreaterOrEqual" if zero_is_positive else "Greater"
        positive = graph.add(test, one, graph.constant(0.0))
        index = graph.add("Cast", positive, to=graph.onnx.TensorProto.INT64)
    else:
        index = graph.add("ArgMax", scores, axis=1, keepdims=0)
    return str(graph.add("Gather", graph.constant(_plain(classes)), index))
