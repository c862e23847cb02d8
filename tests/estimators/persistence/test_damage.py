"""Model files that somebody changed: an answer or one of our errors, and never a dead process."""

import copy
import io
import json
import os
import random
import resource
import subprocess
import sys
import warnings
import zipfile

import numpy as np
import pytest
from tests.estimators.persistence.corpus import POINTS, TWO, corpus, use

from novikoff import Perceptron, VotedPerceptron, load, save
from novikoff.errors import FileError, NovikoffError
from novikoff.estimators.persistence.archive import ALLOWANCE, PER_BYTE

MODELS = dict(corpus())
MEGABYTE = 2**20
CHANGES_OF_EACH = int(os.environ.get("NOVIKOFF_MODEL_CHANGES", "45"))


def parts_of(path):
    """The JSON of a model, and its arrays."""
    with zipfile.ZipFile(path) as file:
        content = json.loads(file.read("model.json"))
        arrays = {
            name: np.lib.format.read_array(io.BytesIO(file.read(name)))
            for name in file.namelist()
            if name.endswith(".npy")
        }
    return content, arrays


def write_parts(path, content, arrays):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("model.json", json.dumps(content))
        for name, array in arrays.items():
            with file.open(name, "w") as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


def changed_array(array, rng):
    """The same array after one of the things that happen to arrays."""
    extremes = [0, -1, 1, 7, 10**6, 2**31, 2**62, -(2**63), np.nan, np.inf, 1e308, 5e-324]
    how = rng.randrange(6)
    if how == 0 and array.size and array.dtype.kind in "iuf":
        array = array.copy()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = np.array(rng.choice(extremes)).astype(array.dtype)
        array.flat[rng.randrange(array.size)] = value
        return array
    if how == 1:
        return array[:-1] if array.ndim and len(array) else np.zeros(3)
    if how == 2:
        return np.concatenate([array, array]) if array.ndim else array
    if how == 3 and array.dtype.kind != "U":
        return array.astype(rng.choice(["<f4", ">f8", "<i2", "<f8", ">i8", "<U3"]))
    if how == 4:
        return array.reshape(-1, 1) if array.ndim == 1 else array.T.copy()
    return np.zeros(rng.choice([(0,), (1,), (4, 4), (0, 3)]))


def changed_json(value, rng):
    """The same JSON with one leaf or one branch that is another."""
    value = copy.deepcopy(value)
    node, places = value, []
    while isinstance(node, (dict, list)) and len(node):
        key = rng.choice(list(node)) if isinstance(node, dict) else rng.randrange(len(node))
        places.append((node, key))
        node = node[key]
    if not places:
        return value
    parent, key = rng.choice(places)
    others = [
        None, True, -1, 0, 10**30, 1.5, "x", [], {}, {"list": []}, {"float": "nan"},
        {"fraction": "1/3"}, {"tuple": [1]}, {"status": "FULL"}, {"array": "a0"},
        {"float": "1e400"}, {"objects": {"shape": [0], "items": []}},
    ]  # fmt: skip
    if rng.random() < 0.2 and isinstance(parent, list):
        parent.append(copy.deepcopy(parent[key]))
    elif rng.random() < 0.2 and isinstance(parent, dict):
        del parent[key]
    else:
        parent[key] = rng.choice(others)
    return value


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore")
def test_a_changed_model_answers_or_is_refused(tmp_path, name):
    """Load, predict, learn on: with any part of the file changed, and with bytes changed."""
    rng = random.Random(name)
    path = tmp_path / "m"
    save(MODELS[name], path)
    use(load(path))
    whole, (content, arrays) = path.read_bytes(), parts_of(path)
    refused = 0
    for turn in range(CHANGES_OF_EACH):
        if turn % 3 == 0 and arrays:
            which = rng.choice(sorted(arrays))
            write_parts(path, content, arrays | {which: changed_array(arrays[which], rng)})
        elif turn % 3 == 1:
            where = rng.choice(["state", "state", "options"])
            write_parts(path, content | {where: changed_json(content[where], rng)}, arrays)
        else:
            damaged = bytearray(whole)
            for _ in range(rng.randrange(1, 4)):
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
            path.write_bytes(damaged)
        try:
            use(load(path))
        except NovikoffError:
            refused += 1
    assert refused > CHANGES_OF_EACH // 3


def test_indices_that_used_to_kill_the_process_are_refused(tmp_path):
    path = tmp_path / "m"
    save(VotedPerceptron(max_iter=3).fit(POINTS, TWO), path)
    content, arrays = parts_of(path)
    fields = content["state"]["_histories"]["list"][0]["record"]["fields"]
    for field, value in (("mistaken", 10**9), ("mistaken", -1), ("size", 10**9), ("size", -2)):
        which = fields[field]["array"] + ".npy"
        bad = arrays[which].copy()
        bad[0] = value
        write_parts(path, content, arrays | {which: bad})
        with pytest.raises(FileError, match=r"out of range|shape"):
            load(path)
    kept = content["state"]["_random_states"]["list"][0]["dice"]
    kept[2] = 10**6
    write_parts(path, content, arrays)
    with pytest.raises(FileError, match="dice"):
        load(path)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_weights_that_are_no_numbers_are_refused(tmp_path, bad):
    path = tmp_path / "m"
    save(Perceptron().fit([[0.0], [1.0]], [0, 1]), path)
    content, arrays = parts_of(path)
    which = content["state"]["coef_"]["array"] + ".npy"
    write_parts(path, content, arrays | {which: np.array([[bad]])})
    with pytest.raises(FileError, match="coef_ must hold finite"):
        load(path)


def test_a_saved_stream_holds_what_it_used_and_no_more(tmp_path):
    """Room for more mistakes was written too, with whatever had been in that memory."""
    estimator = MODELS["voted stream"]
    (history,) = estimator._histories
    assert len(history.mistaken) > int(history.size[0])  # there is room
    save(estimator, tmp_path / "m")
    (saved,) = load(tmp_path / "m")._histories
    assert len(saved.mistaken) == len(saved.push) == int(saved.size[0]) == int(history.size[0])
    assert not history.mistaken[int(history.size[0]) :].any()
    assert not history.push[int(history.size[0]) :].any()


def bomb(path, megabytes, *, named, method=zipfile.ZIP_DEFLATED):
    """A model with one more array, of zeros."""
    save(Perceptron().fit([[0.0], [1.0]], [0, 1]), path)
    content, arrays = parts_of(path)
    if named:
        content["state"]["w"] = {"array": "a77"}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("model.json", json.dumps(content))
        for name, array in arrays.items():
            with file.open(name, "w") as member:
                np.lib.format.write_array(member, array)
        info = zipfile.ZipInfo("a77.npy")
        info.compress_type = method
        with file.open(info, "w") as member:
            np.lib.format.write_array_header_1_0(
                member,
                {"descr": "<f8", "fortran_order": False, "shape": (megabytes * MEGABYTE // 8,)},
            )
            for _ in range(megabytes):
                member.write(bytes(MEGABYTE))


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_unpacks_to_too_much_is_refused_before(tmp_path, named, method):
    bomb(tmp_path / "m", 200, named=named, method=method)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(FileError, match=r"more than any model|save does not use"):
        load(tmp_path / "m")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 * 1024


def test_memory_stays_below_a_multiple_of_the_files_size(tmp_path):
    """The largest that passes, in a process of its own: 32 times the file, and 64 MB."""
    bomb(tmp_path / "m", 60, named=True)
    program = (
        "import resource, sys, novikoff\n"
        "novikoff.Perceptron().fit([[0.0], [1.0]], [0, 1])\n"
        "import novikoff.estimators.persistence.store\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: novikoff.load(sys.argv[1])\n"
        "except novikoff.NovikoffError: pass\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "m")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    size = (tmp_path / "m").stat().st_size
    assert int(done.stdout) * 1024 < 2 * (ALLOWANCE + PER_BYTE * size)


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"1" * 100_000,
        b'{"format": "novikoff-model", "version": 1, "estimator": {}}',
        b'{"format": "novikoff-model", "version": 1, "estimator": "Perceptron", "options": 3}',
        b"\xff",
        b"",
        b"null",
    ],
    ids=lambda text: text[:12],
)
def test_json_of_every_kind_is_refused(tmp_path, text):
    with zipfile.ZipFile(tmp_path / "m", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("model.json", text)
    with pytest.raises(FileError, match="m: "):
        load(tmp_path / "m")


@pytest.mark.parametrize("text", ["1e999999999", "1/0", "1_000", " 1", "0x", "nan", "1/-3", "٣", 7])
def test_fractions_of_other_forms_are_refused(tmp_path, text):
    path = tmp_path / "m"
    save(MODELS["exact"], path)
    content, arrays = parts_of(path)
    content["state"]["_rational"]["list"][0]["list"][0] = {"fraction": text}
    write_parts(path, content, arrays)
    with pytest.raises(FileError, match="m: "):
        load(path)


@pytest.mark.parametrize("text", ["1e999999999", "1/0", "-1", "1_000", "nan", 7])
@pytest.mark.parametrize("at", [0, 1])
def test_bounds_of_other_forms_are_refused(tmp_path, text, at):
    """One number of twelve characters kept the reader busy for ever."""
    path = tmp_path / "m"
    save(MODELS["fewest errors"], path)
    content, arrays = parts_of(path)
    content["state"]["errors_"]["error bounds"][at] = text
    write_parts(path, content, arrays)
    with pytest.raises(FileError, match="m: "):
        load(path)


@pytest.mark.parametrize("rows", [10**12, 10**9, 10**18, -1, 0, "x", None, 1.5])
def test_a_sparse_matrix_has_the_rows_that_it_says(tmp_path, rows):
    path = tmp_path / "m"
    save(MODELS["rbf, sparse"], path)
    content, arrays = parts_of(path)
    content["state"]["_store"]["csr"]["shape"][0] = rows
    write_parts(path, content, arrays)
    with pytest.raises(FileError, match="m: "):
        load(path)


def test_fractions_of_any_length_come_back(tmp_path):
    X = np.array([[10.0**k] for k in range(300, -300, -50)])
    unit = Perceptron(arithmetic="exact", max_iter=30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        unit.fit(X, np.arange(len(X)) % 2)
    unit._rational[0][0] = unit._rational[0][0] ** 40
    save(unit, tmp_path / "m")
    assert load(tmp_path / "m")._rational == unit._rational


def test_a_model_of_many_zeros_is_written_so_that_it_can_be_read(tmp_path):
    X = np.zeros((2, 9_000_000), np.float32)
    X[1, 0] = 1
    unit = Perceptron().fit(X, [0, 1])
    save(unit, tmp_path / "m")
    np.testing.assert_array_equal(load(tmp_path / "m").coef_, unit.coef_)
