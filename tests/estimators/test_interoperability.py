"""Ours beside others: skops for pipelines, the array API, data frames between steps, notebooks."""

import pickle
import subprocess
import sys
from fractions import Fraction
from html import unescape

import numpy as np
import pandas as pd
import polars as pl
import pytest
import skops.io
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import novikoff
from novikoff.errors import OptionError

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

LEARNERS = [
    novikoff.Perceptron(max_iter=50),
    novikoff.Perceptron(max_iter=5, arithmetic="exact"),
    novikoff.PocketPerceptron(max_iter=20, random_state=0),
    novikoff.AveragedPerceptron(max_iter=20),
    novikoff.VotedPerceptron(max_iter=5),
    novikoff.KernelPerceptron(max_iter=5),
    novikoff.ReluNetwork(random_state=0, restarts=1, max_iter=20),
]


@pytest.fixture(scope="module")
def hard():
    return novikoff.load_dataset("iris-versicolor-virginica")


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_a_pipeline_is_kept_by_skops(learner, hard, tmp_path):
    pipeline = make_pipeline(StandardScaler(), learner).fit(hard.X, hard.y)
    path = tmp_path / "pipeline.skops"
    with pytest.raises(OptionError, match=r"skops\.io\.dump\(estimator, path\)"):
        novikoff.save(pipeline, path)
    assert not path.exists()
    skops.io.dump(pipeline, path)
    types = skops.io.get_untrusted_types(file=path)
    assert all(name.startswith(("novikoff.", "fractions.")) for name in types)
    again = skops.io.load(path, trusted=types)
    assert again.predict(hard.X).tolist() == pipeline.predict(hard.X).tolist()
    ours, kept = pipeline[-1], again[-1]
    if hasattr(ours, "status_"):
        assert kept.status_ is ours.status_
        assert getattr(kept, "statuses_", None) == getattr(ours, "statuses_", None)
    if hasattr(ours, "exact_coef_"):
        assert isinstance(kept.exact_coef_[0][0], Fraction)
        assert np.array_equal(kept.exact_coef_, ours.exact_coef_)


def test_a_proof_is_kept_by_skops():
    xor = novikoff.load_dataset("xor")
    unit = novikoff.Perceptron().fit(xor.X, xor.y)
    text = skops.io.dumps(unit)
    again = skops.io.loads(text, trusted=skops.io.get_untrusted_types(data=text))
    assert again.status_ is novikoff.Status.CYCLED
    assert novikoff.verify(again.certificate_, xor.X, xor.y).valid


def test_pickle_keeps_the_status(hard):
    unit = novikoff.Perceptron(max_iter=2).fit(hard.X, hard.y)
    again = pickle.loads(pickle.dumps(unit))
    assert again.status_ is novikoff.Status.REACHED_MAX_ITER
    assert isinstance(unit.status_, novikoff.Status)
    assert pickle.loads(pickle.dumps(novikoff.Perceptron())).get_params() == (
        novikoff.Perceptron().get_params()
    )


def test_what_is_no_pipeline_gets_no_advice_about_skops(hard):
    with pytest.raises(OptionError) as caught:
        novikoff.save(StandardScaler().fit(hard.X), "nowhere")
    assert "skops" not in str(caught.value)
    search = GridSearchCV(novikoff.Perceptron(), {"max_iter": [1, 2]}).fit(hard.X, hard.y)
    with pytest.raises(OptionError, match="skops saves a whole GridSearchCV"):
        novikoff.save(search, "nowhere")


# In a process of its own: SciPy must be told before it is imported.
ARRAY_API = """
import array_api_strict as xp
import numpy as np
from sklearn import config_context
import novikoff

hard = novikoff.load_dataset("iris-setosa-versicolor")
X, signs = xp.asarray(hard.X), np.asarray(hard.signs)
y = xp.asarray(signs)
weights = xp.asarray(np.ones(len(signs)))
assert novikoff.separate(X, y).word == "separable"
learners = [
    novikoff.Perceptron(), novikoff.PocketPerceptron(random_state=0),
    novikoff.AveragedPerceptron(), novikoff.VotedPerceptron(), novikoff.KernelPerceptron(),
    novikoff.ReluNetwork(random_state=0),
]
for learner in learners:
    weighted = {} if isinstance(learner, novikoff.ReluNetwork) else {"sample_weight": weights}
    expected = learner.fit(hard.X, signs).decision_function(hard.X)
    learner.fit(X, y, **weighted)
    assert type(learner.predict(X)) is np.ndarray, learner
    with config_context(array_api_dispatch=True):
        learner.fit(X, y, **weighted)
        scores, labels = learner.decision_function(X), learner.predict(X)
        assert type(scores) is type(X) and type(labels) is type(X), learner
        assert np.array_equal(np.asarray(scores), expected), learner
        assert float(learner.score(X, y)) == 1.0
        assert type(learner.predict(hard.X)) is np.ndarray
        text = learner.fit(X, hard.y).predict(X)
        assert type(text) is np.ndarray and text.tolist() == hard.y.tolist()
    if hasattr(learner, "partial_fit"):
        learner.partial_fit(X, hard.y)
print("done")
"""


def test_arrays_of_other_libraries_go_in_and_come_out(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(ARRAY_API, "utf-8")
    environment = {**__import__("os").environ, "SCIPY_ARRAY_API": "1"}
    done = subprocess.run(
        [sys.executable, str(program)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "done", done.stderr


@pytest.mark.parametrize(("kind", "frame"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_data_frames_between_the_steps_of_a_pipeline(kind, frame, hard):
    table = frame(dict(zip(hard.names, hard.X.T, strict=True)))
    pipeline = make_pipeline(StandardScaler(), novikoff.Perceptron(max_iter=50))
    pipeline.set_output(transform=kind).fit(table, hard.y)
    assert isinstance(pipeline[:-1].transform(table), frame)
    assert pipeline[-1].feature_names_in_.tolist() == list(hard.names)
    scaled = pipeline[:-1].transform(table).to_numpy()
    plain = novikoff.Perceptron(max_iter=50).fit(scaled, hard.y)
    assert np.array_equal(pipeline[-1].coef_, plain.coef_)


SVG = 'src="data:image/svg+xml;base64,'


@pytest.mark.parametrize("name", ["toy", "touching", "xor", "iris-versicolor-virginica"])
def test_a_notebook_shows_the_figure_of_a_verdict_and_of_its_explanation(name):
    table = novikoff.load_dataset(name)
    verdict = novikoff.separate(table.X, table.y)
    assert SVG in verdict._repr_html_()
    assert f"<b>{verdict.word}</b>" in verdict._repr_html_()
    assert SVG in verdict.explain()._repr_html_()


def test_a_notebook_shows_the_figure_of_a_run():
    toy = novikoff.load_dataset("toy")
    run = novikoff.trace(toy.X, toy.y)
    assert "The last mistake of the run" in run._repr_html_()
    beside = run.compared_with(novikoff.separate(toy.X, toy.y))
    assert "bounds of the convergence proof" in beside._repr_html_()
    assert SVG in beside._repr_html_()


@pytest.mark.parametrize("name", ["toy", "touching", "xor", "iris-versicolor-virginica"])
def test_a_notebook_shows_what_a_certificate_holds_and_what_a_learner_has_learned(name):
    table = novikoff.load_dataset(name)
    certificate = novikoff.separate(table.X, table.y).certificate()
    assert SVG in certificate._repr_html_()
    assert str(certificate) in unescape(certificate._repr_html_())
    assert SVG not in novikoff.Perceptron()._repr_mimebundle_()["text/html"]
    learned = novikoff.Perceptron(max_iter=20).fit(table.X, table.y)
    assert SVG in learned._repr_mimebundle_()["text/html"]
    assert "The unit that was learned" in learned._repr_html_()


def test_a_notebook_shows_the_facts_where_no_figure_can_be_drawn():
    tall = np.repeat([[0.0], [1.0]], 2_600_000, axis=0)
    html = novikoff.separate(tall, tall[:, 0] > 0)._repr_html_()
    assert "<table>" in html
    assert SVG not in html
    toy = novikoff.load_dataset("toy")
    faultless = novikoff.trace(toy.X, toy.y, tie="+1", max_iter=1)
    assert str(faultless.n_mistakes) in faultless._repr_html_()
