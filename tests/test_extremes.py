"""Every public name, every figure and every command on the smallest and the largest numbers.

Each gives an answer or one of our errors: never another exception, and never a warning but that
of a learner that did not converge.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from tests.cli.shell import inside

import novikoff as nv
from novikoff.cli.main import app
from novikoff.errors import NovikoffError

pytestmark = pytest.mark.slow

TINY, HUGE = 5e-324, 1.7976931348623157e308
SHAPE = np.array([[0.0, 0.0], [1.0, 0.5], [0.5, 1.0], [1.0, 1.0], [0.0, 1.0]])
MIXED = np.array([[TINY, HUGE], [-HUGE, 0.0], [1e-310, 1.0], [0.0, -TINY], [HUGE, 1e-300]])
SPREAD = np.array([[HUGE, -HUGE], [-HUGE, HUGE], [HUGE, HUGE], [-HUGE, -HUGE], [0.0, TINY]])
DATA = {
    "smallest": SHAPE * 2 * TINY,
    "subnormal": SHAPE * 1e-310,
    "square underflows": SHAPE * 1e-200,
    "square overflows": SHAPE * 1e200,
    "largest": SHAPE * HUGE,
    "mixed": MIXED,
    "spread": SPREAD,
}
OVERLAPPING, SEPARABLE = np.array([0, 1, 1, 0, 0]), np.array([0, 1, 1, 1, 0])


def quiet(estimator, X, y):
    """Fit, predict and score."""
    estimator.fit(X, y)
    estimator.predict(X)
    for name in ("decision_function", "predict_proba", "score"):
        if hasattr(estimator, name):
            getattr(estimator, name)(*((X, y) if name == "score" else (X,)))
    return estimator


def online(estimator, X, y):
    for row, label in zip(X, y, strict=True):
        estimator.learn(row, int(label))
        estimator.predict(row)


def through_file(estimator, X, y, folder):
    estimator = quiet(estimator, X, y)
    nv.save(estimator, folder / "model.novikoff")
    return nv.load(folder / "model.novikoff").predict(X)


def through_trace(X, y, folder):
    run = nv.trace(X, y, max_iter=20)
    run.to_parquet(folder / "run.parquet")
    again = nv.read_trace(folder / "run.parquet", X, y)
    return again.squared_norms, again.scores, nv.inequalities(run, ([1.0, 2.0], 0.5)).hold


def verified(X, y, **options):
    verdict = nv.separate(X, y, **options)
    if verdict.word != "undecided":
        assert nv.verify(verdict.certificate(), X, y).valid
    return verdict


W = ([1.0, -2.0], 0.5)
PERCEPTRON = {"max_iter": 30}
CALLS = {
    "AveragedPerceptron": lambda X, y, f: quiet(nv.AveragedPerceptron(**PERCEPTRON), X, y),
    "FewestErrorsClassifier": lambda X, y, f: quiet(nv.FewestErrorsClassifier(), X, y),
    "KernelPerceptron": lambda X, y, f: quiet(nv.KernelPerceptron(**PERCEPTRON), X, y),
    "MaximumMarginClassifier": lambda X, y, f: quiet(nv.MaximumMarginClassifier(), X, y),
    "OnlineAveragedPerceptron": lambda X, y, f: online(nv.OnlineAveragedPerceptron(), X, y),
    "OnlinePerceptron": lambda X, y, f: online(nv.OnlinePerceptron(), X, y),
    "OnlinePocketPerceptron": lambda X, y, f: online(nv.OnlinePocketPerceptron(), X, y),
    "Perceptron": lambda X, y, f: quiet(nv.Perceptron(**PERCEPTRON), X, y),
    "PocketPerceptron": lambda X, y, f: quiet(
        nv.PocketPerceptron(max_iter=30, random_state=0), X, y
    ),
    "ReluNetwork": lambda X, y, f: quiet(nv.ReluNetwork(max_iter=30, random_state=0), X, y),
    "VotedPerceptron": lambda X, y, f: quiet(nv.VotedPerceptron(**PERCEPTRON), X, y),
    "alternatives": lambda X, y, f: nv.alternatives(nv.fewest_errors(X, y), most=5),
    "augment": lambda X, y, f: (nv.augment(X), nv.augment(sp.csr_array(X))),
    "cover_probability": lambda X, y, f: nv.cover_probability(len(X), X.shape[1]),
    "detect_separation": lambda X, y, f: (
        nv.detect_separation(X, y).certificate(),
        nv.detect_separation(X, y, model="poisson", decimals=True),
        str(nv.detect_separation(X, np.column_stack([y, 1 - y]))),
        nv.detect_separation(X, model="cox", time=[1, 2, 3, 4, 5]),
    ),
    "diagnose": lambda X, y, f: nv.diagnose(LogisticRegression(), X, y),
    "explain_verdict": lambda X, y, f: str(nv.explain_verdict(nv.separate(X, y))),
    "SeparationCheck": lambda X, y, f: (
        nv.SeparationCheck(action="ignore").fit(X, y),
        answered(lambda: nv.SeparationCheck(action="raise").fit_transform(X, y)),
    ),
    "fewest_errors": lambda X, y, f: nv.verify(nv.fewest_errors(X, y).certificate(), X, y),
    "inequalities": lambda X, y, f: through_trace(X, y, f),
    "into_unit_ball": lambda X, y, f: nv.into_unit_ball(X),
    "lift_until_separable": lambda X, y, f: nv.lift_until_separable(X, y, max_degree=2, rbf=(2,)),
    "load": lambda X, y, f: through_file(nv.Perceptron(**PERCEPTRON), X, y, f),
    "margins": lambda X, y, f: nv.margins(W, X, y),
    "mistake_bound": lambda X, y, f: nv.mistake_bound(X, y),
    "mistake_bound_of": lambda X, y, f: nv.mistake_bound_of(W, X, y),
    "probe": lambda X, y, f: nv.probe(
        np.tile(X, (6, 1)), np.tile(y, 6), progress=False, random_state=0, controls=1
    ),
    "radius": lambda X, y, f: (nv.radius(X), nv.radius(sp.csr_array(X), fit_intercept=False)),
    "read_trace": lambda X, y, f: through_trace(X, y, f),
    "save": lambda X, y, f: through_file(nv.VotedPerceptron(**PERCEPTRON), X, y, f),
    "separate": lambda X, y, f: (
        verified(X, y), verified(X, y, decimals=True), verified(sp.csr_array(X), y),
        verified(X, y, fit_intercept=False), nv.separate(X, y).to_dict(), str(nv.separate(X, y)),
    ),
    "to_coq": lambda X, y, f: nv.to_coq(nv.separate(X, y).certificate(), X, y, f / "proof.v"),
    "to_onnx": lambda X, y, f: nv.to_onnx(quiet(nv.Perceptron(**PERCEPTRON), X, y)),
    "to_positive_side": lambda X, y, f: nv.to_positive_side(X, 2 * y - 1),
    "trace": lambda X, y, f: through_trace(X, y, f),
    "training_error": lambda X, y, f: nv.training_error(W, X, y),
    "verify": lambda X, y, f: verified(X, y),
    "why_not": lambda X, y, f: str(nv.why_not(X, y)),
}  # fmt: skip
# What is made by the calls above, takes no numbers, or fits with another library (fit_checked).
MADE = {"Certificate", "Explanation", "FewestErrors", "Interval", "NovikoffError", "Overlapping",
        "Probes", "Separable", "Separation", "SeparationError", "SeparationWarning", "Separations",
        "Status", "Touching", "Trace", "Undecided", "Verification", "data", "figures",
        "fit_checked", "list_datasets", "load_dataset", "models", "read", "report"}  # fmt: skip


def answered(call):
    """The answer, or one of our errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConvergenceWarning)
        try:
            return call()
        except NovikoffError as error:
            return error


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("name", CALLS)
def test_an_answer_or_one_of_our_errors(name, data, tmp_path):
    for y in (OVERLAPPING, SEPARABLE):
        answered(lambda: CALLS[name](DATA[data], y, tmp_path))  # noqa: B023 (called at once)


def test_every_public_name_is_called():
    assert set(CALLS) | MADE == set(nv.__all__)


def run_of(X, y):
    return nv.trace(X, y, max_iter=5)


FIGURES = {
    "animate_run": lambda X, y, f: nv.figures.animate_run(f / "a.gif", X, y, [1, 0], frames=2),
    "animate_trace": lambda X, y, f: nv.figures.animate_trace(f / "b.gif", run_of(X, y), frames=2),
    "plot_comparison": lambda X, y, f: nv.figures.plot_comparison((X, y), W, (X, y)),
    "plot_convergence": lambda X, y, f: nv.figures.plot_convergence(
        np.abs(X[:, 0]), np.abs(X[:, 1]), float(np.abs(X).max()), float(np.abs(X).max())
    ),
    "plot_fewest": lambda X, y, f: nv.figures.plot_fewest(nv.fewest_errors(X, y)),
    "plot_hulls": lambda X, y, f: nv.figures.plot_hulls(X, y),
    "plot_lift": lambda X, y, f: nv.figures.plot_lift(X, y),
    "plot_mistakes": lambda X, y, f: nv.figures.plot_mistakes(run_of(X, y)),
    "plot_network": lambda X, y, f: nv.figures.plot_network(X[:2], X[0], X[1], 1.0, X=X, y=y),
    "plot_perceptron": lambda X, y, f: nv.figures.plot_perceptron(X[0], float(X[1, 0])),
    "plot_regions": lambda X, y, f: nv.figures.plot_regions(
        nv.Perceptron(**PERCEPTRON).fit(X, y), X, y
    ),
    "plot_separator": lambda X, y, f: nv.figures.plot_separator(X, y, X[1], float(X[0, 1])),
    "plot_trace": lambda X, y, f: nv.figures.plot_trace(run_of(X, y)),
    "plot_trace_update": lambda X, y, f: nv.figures.plot_trace_update(run_of(X, y), 1),
    "plot_update": lambda X, y, f: nv.figures.plot_update(X, y, 1, X[0]),
    "plot_verdict": lambda X, y, f: nv.figures.plot_verdict(nv.separate(X, y)),
    "plot_verdict_hulls": lambda X, y, f: nv.figures.plot_verdict_hulls(nv.separate(X, y)),
}
# Of probes, of nothing, and of a figure that is there.
OTHER_FIGURES = {"plot_probe_map", "plot_probes", "plot_xor", "save"}


@pytest.mark.parametrize("data", ["smallest", "square overflows", "mixed", "spread"])
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_or_one_of_our_errors(name, data, tmp_path):
    figure = answered(lambda: FIGURES[name](DATA[data], OVERLAPPING, tmp_path))
    if isinstance(figure, plt.Figure):
        answered(lambda: nv.figures.save(figure, tmp_path / "figure.svg"))


def test_every_figure_is_drawn():
    assert set(FIGURES) | OTHER_FIGURES == set(nv.figures.__all__)


COMMANDS = {
    "check": ("check", "d.csv", "--label", "y", "--certificate", "c.json", "--report", "r.html"),
    "diagnose": ("diagnose", "d.csv", "--label", "y"),
    "fewest": ("fewest", "d.csv", "--label", "y"),
    "fit": ("fit", "d.csv", "--label", "y", "--model", "m", "--max-iter", "20"),
    "plot": ("plot", "d.csv", "--label", "y", "--out", "p.svg"),
    "predict": ("predict", "m", "d.csv"),
    "show": ("show", "m"),
    "prove": ("prove", "d.csv", "--label", "y", "--out", "p.v"),
    "stream": ("stream", "d.csv", "--label", "y"),
    "trace": ("trace", "d.csv", "--label", "y", "--out", "t.parquet", "--max-iter", "20"),
    "verify": ("verify", "c.json", "d.csv"),
}
OTHER_COMMANDS = {"datasets", "demo", "lab", "mcp", "probe"}


@pytest.mark.parametrize("data", DATA)
def test_every_command_answers_or_says_why_not(data, tmp_path):
    rows = [",".join([*map(repr, row), str(y)]) for row, y in
            zip(DATA[data].tolist(), OVERLAPPING.tolist(), strict=True)]  # fmt: skip
    (tmp_path / "d.csv").write_text("\n".join(["a,b,y", *rows]) + "\n")
    for command in COMMANDS.values():
        done = inside(*command, folder=tmp_path)
        assert done.status in (0, 1, 2, 3), (command, done)
        assert "Traceback" not in done.out + done.err
        assert done.status != 2 or done.err, (command, done)


def test_every_command_is_run():
    import typer

    assert set(COMMANDS) | OTHER_COMMANDS == set(typer.main.get_command(app).commands)
