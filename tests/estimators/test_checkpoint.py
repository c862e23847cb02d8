"""`fit(checkpoint=path)`: interrupted anywhere, killed, resumed; to the same bits."""

import hashlib
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff import AveragedPerceptron, KernelPerceptron, Perceptron, PocketPerceptron
from novikoff.core.files import read_checksummed, write_checksummed
from novikoff.errors import FileError, OptionError
from novikoff.estimators import checkpoint as checkpoint_file
from novikoff.learners import run as running

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]


class StoppedError(Exception):
    pass


@pytest.fixture
def every_epoch(monkeypatch):
    """Write after every epoch, and return to Python after each."""
    monkeypatch.setattr(checkpoint_file, "SECONDS_BETWEEN", 0.0)
    monkeypatch.setattr(running, "MOST_EPOCHS", 1)


def problem(integers=False, classes=2):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 4))
    X = X.round() if integers else X
    score = X @ [1, -2, 3, 0.5] + rng.standard_normal(300)
    return X, np.digitize(score, [0.0] if classes == 2 else [-2.0, 2.0])


LEARNERS = [
    Perceptron(max_iter=9),
    Perceptron(max_iter=9, order="shuffled", random_state=3),
    AveragedPerceptron(max_iter=9, order="random", random_state=3),
    AveragedPerceptron(max_iter=9, multi_class="joint"),
    PocketPerceptron(max_iter=9, random_state=3),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda unit: type(unit).__name__)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("integers", [False, True])
def test_an_interrupted_run_goes_on_to_the_same_bits(
    learner, classes, integers, folder, every_epoch, monkeypatch
):
    X, y = problem(integers, classes)
    X = sp.csr_array(X) if integers else X
    kind, options = type(learner), learner.get_params()
    whole = kind(**options).fit(X, y)
    keep, written = checkpoint_file.CheckpointFile.keep, []

    def keep_and_stop(self, *arguments, **more):
        keep(self, *arguments, **more)
        written.append(1)
        if len(written) % 3 == 0:
            raise StoppedError

    monkeypatch.setattr(checkpoint_file.CheckpointFile, "keep", keep_and_stop)
    for _ in range(30):
        resumed = kind(**options)
        try:
            resumed.fit(X, y, checkpoint=folder / "run")
            break
        except StoppedError:
            continue
    assert len(written) > 3
    for name in ("coef_", "intercept_", "mistakes_per_epoch_"):
        assert getattr(resumed, name).tobytes() == getattr(whole, name).tobytes(), name
    assert resumed.status_ is whole.status_
    more = kind(**{**options, "max_iter": 15})
    longer = kind(**{**options, "max_iter": 15}).fit(X, y)
    monkeypatch.setattr(checkpoint_file.CheckpointFile, "keep", keep)
    assert more.fit(X, y, checkpoint=folder / "run").coef_.tobytes() == longer.coef_.tobytes()


def test_a_cycle_is_found_after_a_resume(folder, every_epoch, monkeypatch):
    X, y = [[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1]
    whole = Perceptron().fit(X, y)
    part = Perceptron(max_iter=1).fit(X, y, checkpoint=folder / "run")
    assert part.n_iter_ == 1
    resumed = Perceptron().fit(X, y, checkpoint=folder / "run")
    assert resumed.status_ is whole.status_
    assert resumed.certificate_.to_dict() == whole.certificate_.to_dict()


def test_other_data_and_options_are_refused(folder):
    X, y = problem()
    path = folder / "run"
    Perceptron(max_iter=3).fit(X, y, checkpoint=path)
    with pytest.raises(OptionError, match="other data"):
        Perceptron(max_iter=3).fit(X + 1, y, checkpoint=path)
    with pytest.raises(OptionError, match="run with options"):
        Perceptron(max_iter=3, eta0=2.0).fit(X, y, checkpoint=path)
    with pytest.raises(OptionError, match="run with learner"):
        AveragedPerceptron(max_iter=3).fit(X, y, checkpoint=path)
    with pytest.raises(OptionError, match="KernelPerceptron cannot be saved"):
        KernelPerceptron().fit(X, y, checkpoint=path)
    with pytest.raises(OptionError, match="exact arithmetic cannot be saved"):
        Perceptron(arithmetic="exact").fit(X, y, checkpoint=path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(FileError, match="damaged"):
        Perceptron(max_iter=3).fit(X, y, checkpoint=path)


OTHER_FORMATS = {
    "no parts": lambda about, arrays: about.pop("parts"),
    "parts in a list": lambda about, arrays: about.update(parts=[1]),
    "no learner": lambda about, arrays: about.pop("learner"),
    "no options": lambda about, arrays: about.pop("options"),
    "no outcome": lambda about, arrays: about["parts"]["run 0"].pop("outcome"),
    "an outcome unheard of": lambda about, arrays: about["parts"]["run 0"].update(outcome=99),
    "an outcome in a list": lambda about, arrays: about["parts"]["run 0"].update(outcome=[0]),
    "no random state": lambda about, arrays: about["parts"]["run 0"].pop("dice"),
    "half a random state": lambda about, arrays: about["parts"]["run 0"].update(dice=["MT19937"]),
    "another generator": lambda about, arrays: about["parts"]["run 0"].update(
        dice=["PCG64", 0, 0, 0.0]
    ),
    "a part that is a number": lambda about, arrays: about["parts"].update({"run 0": 7}),
    "no mistakes": lambda about, arrays: arrays.pop("run 0/calendar"),
    "no weights": lambda about, arrays: arrays.pop("run 0/state.weights.w"),
    "a name of an older state": lambda about, arrays: arrays.update(
        {name.replace("observer.", ""): arrays.pop(name) for name in list(arrays)}
    ),
    "weights of 32 bits": lambda about, arrays: arrays.update(
        {"run 0/state.weights.w": arrays["run 0/state.weights.w"].astype(np.float32)}
    ),
    "weights in a table": lambda about, arrays: arrays.update(
        {"run 0/state.weights.w": arrays["run 0/state.weights.w"][:, np.newaxis]}
    ),
}


@pytest.mark.parametrize("change", OTHER_FORMATS.values(), ids=OTHER_FORMATS)
def test_a_file_of_another_format_is_refused(change, folder):
    """Whole, with a checksum that is right, and still not what this version would write."""
    X, y = problem(integers=True)
    path = folder / "run"
    Perceptron(max_iter=3).fit(X, y, checkpoint=path)
    about, arrays = read_checksummed(path, checkpoint_file.MAGIC, "a checkpoint")
    assert any(name.startswith("run 0/state.observer.") for name in arrays)  # what may be missing
    write_checksummed(path, checkpoint_file.MAGIC, about, arrays)
    assert Perceptron(max_iter=9).fit(X, y, checkpoint=path).n_iter_ > 3
    change(about, arrays)
    write_checksummed(path, checkpoint_file.MAGIC, about, arrays)
    before = path.read_bytes()
    with pytest.raises(FileError, match="the checkpoint of another version of novikoff"):
        Perceptron(max_iter=9).fit(X, y, checkpoint=path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({"version": 0, "arrays": [], "about": {}}, "of version 0, and this program knows 1"),
        ({"arrays": [], "about": {}}, "of version None"),
        ({"version": 1, "about": {}}, "not a checkpoint of a fit as this version"),
        ({"version": 1, "arrays": [["w", "<f8", [9]]], "about": {}}, "not a checkpoint of a fit"),
        ({"version": 1, "arrays": [["w", "no", [0]]], "about": {}}, "not a checkpoint of a fit"),
        ({"version": 1, "arrays": [], "about": 3}, "not a checkpoint of a fit"),
        ([1, 2], "not a checkpoint of a fit"),
        (None, "not a checkpoint of a fit"),
    ],
)
def test_a_header_of_another_format_is_refused(header, message, folder):
    text = b"w = 1" if header is None else json.dumps(header).encode()
    content = checkpoint_file.MAGIC + len(text).to_bytes(8, "little") + text
    (folder / "run").write_bytes(content + hashlib.blake2b(content, digest_size=32).digest())
    with pytest.raises(FileError, match=message):
        Perceptron().fit(*problem(), checkpoint=folder / "run")


KILLED = """
import sys, warnings
from tests.estimators.test_checkpoint import long_run
from novikoff.estimators import checkpoint as checkpoint_file
from novikoff.learners import run
warnings.simplefilter("ignore")
checkpoint_file.SECONDS_BETWEEN, run.MOST_EPOCHS = 0.0, 1
print(long_run(checkpoint=sys.argv[1]).coef_.tobytes().hex())
"""


def long_run(**options):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2000, 5))
    y = X[:, 0] + rng.standard_normal(2000) > 0
    return Perceptron(max_iter=300).fit(X, y, **options)


def test_a_killed_process(folder):
    path = folder / "run"
    run = [sys.executable, "-c", KILLED, str(path)]
    for _ in range(2):
        before = path.stat().st_mtime_ns if path.exists() else 0
        process = subprocess.Popen(run, stdout=subprocess.DEVNULL, cwd=ROOT)
        while (not path.exists() or path.stat().st_mtime_ns == before) and process.poll() is None:
            time.sleep(0.002)
        process.kill()
        process.wait()
    done = subprocess.run(run, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == long_run().coef_.tobytes().hex()
