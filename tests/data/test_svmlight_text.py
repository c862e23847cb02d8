"""The parser of svmlight: the numbers that Python reads, the rows that scikit-learn reads."""

import gzip
import io
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from novikoff import AveragedPerceptron, Perceptron, read
from novikoff.data import scan
from novikoff.data.rounding import is_held, is_print
from novikoff.data.source import InputFile, open_raw
from novikoff.data.svmlight import parse_chunks, read_sparse
from novikoff.errors import DataError, FileError, NotFiniteError

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def in_memory(text):
    return InputFile("text", ".svm", None, text.encode(), None)


NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-1000, 1000).map(lambda value: f"{value:.6g}"),
    st.integers(-(10**25), 10**25).map(str),
    st.tuples(st.integers(0, 10**19), st.integers(-40, 40)).map(lambda p: f"{p[0]}e{p[1]}"),
    st.tuples(st.integers(0, 999), st.text("0123456789", min_size=1, max_size=30)).map(
        lambda p: f"+{p[0]}.{p[1]}"
    ),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(NUMBERS, min_size=1, max_size=8))
def test_numbers_are_those_of_python(written):
    text = "1 " + " ".join(f"{j}:{value}" for j, value in enumerate(written)) + "\n"
    [chunk] = parse_chunks(in_memory(text), workers=1, float64=True)
    expected = [(j, float(v)) for j, v in enumerate(written) if float(v) != 0.0]
    found = list(zip(chunk.indices.tolist(), chunk.values.tolist(), strict=True))
    assert found == expected


def test_halfway_cases_are_rounded_to_even():
    """Decimals that lie exactly between two float64 numbers, and next to there."""
    numbers = ["9007199254740993", "9007199254740993.0000000001", "1.00000000000000011102"]
    numbers += ["9007199254740992999e-3", "4503599627370497.5", "0.1e-21", "8.5e22"]
    for written in numbers:
        text = in_memory(f"{written} 1:{written}\n")
        [chunk] = parse_chunks(text, workers=1, float64=True)
        assert chunk.values.tolist() == [float(written)]
        assert chunk.labels.tolist() == [float(written)]


LONG = st.one_of(
    NUMBERS,
    st.floats(allow_nan=False, allow_infinity=False).flatmap(
        lambda value: st.integers(14, 22).map(lambda digits: f"{value:.{digits}e}")
    ),
    st.tuples(st.integers(10**14, 10**19), st.integers(-300, 280)).map(lambda p: f"{p[0]}e{p[1]}"),
    st.tuples(st.integers(-(2**40), 2**40), st.integers(0, 24)).map(
        lambda p: format(p[0] / 2 ** p[1], ".30f")
    ),
)


@settings(max_examples=1500, deadline=None)
@given(LONG)
def test_what_float64_does_not_hold_is_refused(written):
    """Decided in compiled code; the oracle is Python's fractions and its printing of floats."""
    value = float(written)
    assume(math.isfinite(value))
    held = is_held(written, value, printed=True, stored=True)
    text = in_memory(f"1 7:{written}\n")
    if not held and not is_print(written, value):
        with pytest.raises(DataError, match=r"column 7 holds .* at row 0"):
            list(parse_chunks(text, workers=1))
        return
    [chunk] = parse_chunks(text, workers=1)
    assert chunk.prints == (not held)


def lines(n=500, d=300, seed=0, zero_based=False):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, d)) < 0.05, rng.standard_normal((n, d)), 0.0)
    y = np.where(X.sum(axis=1) + 0.1 * rng.standard_normal(n) > 0, 1, -1)
    sink = io.BytesIO()
    dump_svmlight_file(X, y, sink, zero_based=zero_based, comment="made up")
    return sink.getvalue()


@pytest.mark.parametrize("size", [97, 4096, 1 << 24])
@pytest.mark.parametrize("workers", [1, 3])
def test_rows_are_those_of_scikit_learn(size, workers, tmp_path):
    text = lines().replace(b"\n", b"  # note\r\n", 3) + b"\n\n1 qid:7 5:2.5"  # no end of line
    path = tmp_path / "a.svm"
    path.write_bytes(text)
    X, y = load_svmlight_file(io.BytesIO(text), zero_based=True)
    chunks = list(parse_chunks(open_raw(path), size, workers))
    assert np.concatenate([chunk.labels for chunk in chunks]).tolist() == y.tolist()
    assert np.concatenate([chunk.values for chunk in chunks]).tobytes() == X.data.tobytes()
    assert np.concatenate([chunk.indices for chunk in chunks]).tolist() == X.indices.tolist()
    (tmp_path / "a.svm.gz").write_bytes(gzip.compress(text))
    packed, labels, _ = read_sparse(open_raw(tmp_path / "a.svm.gz"), float64=False)
    assert (packed != X).nnz == 0
    assert labels.tolist() == y.tolist()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("x 1:2", "does not begin with a number"),
        ("1:2 3:4", "does not begin with a number"),
        ("1 a:2", "an index is not a whole number"),
        ("1 -1:2", "an index is not a whole number"),
        ("1 99999999999:2", "an index is not a whole number"),
        ("1 3", "an index is not a whole number"),
        ("1 3:", "a value is not a number"),
        ("1 3:\n7", "a value is not a number"),
        ("1 3:x", "a value is not a number"),
        ("1 3:2x", "a value is not a number"),
        ("1 3:0x10", "a value is not a number"),
        ("1 3:1 2:1", "indices must grow"),
        ("1 3:1 3:1", "indices must grow"),
    ],
)
@pytest.mark.parametrize("size", [64, 1 << 24])
def test_a_bad_line_has_its_number(line, reason, size, tmp_path):
    good = "1 1:0.5 2:7 # fine\n"
    path = tmp_path / "a.svm"
    path.write_text(good * 40 + line + "\n" + good * 40)
    with pytest.raises(FileError, match="line 41: ") as caught:
        list(parse_chunks(open_raw(path), size))
    assert reason in str(caught.value)
    with pytest.raises(FileError, match="line 41: "):
        read(path)


def test_what_is_not_finite_has_its_place(tmp_path):
    (tmp_path / "a.svm").write_text("1 1:2\n-1 3:nan\n")
    with pytest.raises(NotFiniteError, match="row 1, column 3"):
        read(tmp_path / "a.svm")


@pytest.mark.parametrize("written", ["1e400", "-1e99999999999", "1" + "0" * 400])
def test_a_number_beyond_float64_is_refused_at_once(written, tmp_path):
    """As a rational number the second one would fill the memory."""
    (tmp_path / "a.svm").write_text(f"1 1:2\n-1 3:{written}\n")
    with pytest.raises(NotFiniteError, match="row 1, column 3"):
        read(tmp_path / "a.svm")


def test_large_numbers_are_read_without_a_warning(tmp_path):
    (tmp_path / "a.svm").write_text("1 1:1.7e308\n-1 1:1.7e308\n")
    assert read(tmp_path / "a.svm").X.toarray().tolist() == [[1.7e308], [1.7e308]]


@pytest.mark.parametrize("zero_based", [True, False])
@pytest.mark.parametrize("options", [{}, {"drop": ["x7"]}, {"positive": -1}])
def test_a_sparse_scan_is_the_file(zero_based, options, tmp_path):
    path = tmp_path / "a.svm"
    path.write_bytes(lines(zero_based=zero_based))
    whole = read(path, **options)
    made = scan(path, **options, batch_rows=60, cache=tmp_path / "cache")
    for _ in range(2):
        parts = list(made)
        assert sum(part.X.shape[0] for part in parts) == whole.n == made.n
        assert np.concatenate([part.X.data for part in parts]).tobytes() == whole.X.data.tobytes()
        assert np.concatenate([part.y for part in parts]).tolist() == whole.y.tolist()
    assert (made.names, made.classes) == (whole.names, whole.classes)
    for learner in (Perceptron, AveragedPerceptron):
        in_memory = learner(max_iter=6).fit(whole.X, whole.y)
        scanned = learner(max_iter=6).fit(made)
        assert scanned.coef_.tobytes() == in_memory.coef_.tobytes()
        assert scanned.mistakes_per_epoch_.tolist() == in_memory.mistakes_per_epoch_.tolist()
    made.clear_cache()
    assert not list((tmp_path / "cache").iterdir())
