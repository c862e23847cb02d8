"""Numbers and svmlight read by the extension: what fractions say, and no byte beyond the end."""

import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff import _core
from novikoff.data.number_text import DOUBTFUL, HELD, POWERS, PRINTS

decimals = st.one_of(
    st.from_regex(r"[+-]?[0-9]{1,25}(\.[0-9]{0,25})?([eE][+-]?[0-9]{1,4})?", fullmatch=True),
    st.from_regex(r"[+-]?\.[0-9]{1,22}(e-?[0-9]{1,3})?", fullmatch=True),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda x: f"{x:.17e}"),
    st.integers(-(2**64), 2**64).map(str),
    st.sampled_from(["9007199254740993", "5e-324", "2.5e-324", "1.7976931348623157e308", "-0"]),
)


def read(text, start=0):
    return _core.number_at(np.frombuffer(text.encode() + b"\n", np.uint8), start, POWERS)


@given(decimals)
def test_a_decimal_is_its_nearest_float64(text):
    value, end, how = read(text)
    expected = float(text)
    assert value.hex() == expected.hex()
    assert end == len(text)
    if np.isfinite(expected) and how == HELD:
        assert Fraction(text) in (Fraction(repr(value)), Fraction(value))
    if how == PRINTS:
        digits = len("".join(filter(str.isdigit, text.lower().partition("e")[0])).strip("0"))
        assert Fraction(f"{value:.{digits - 1}e}") == Fraction(text)
    assert how in (HELD, PRINTS, DOUBTFUL)


# A number that floating point leaves in doubt, where the decimal point is a comma.
PROGRAM = """
import locale, sys
import numpy as np
from novikoff import _core
from novikoff.data.number_text import POWERS
locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
text = np.frombuffer(b"0.1234567890123456789012345\\n", np.uint8)
print(locale.localeconv()["decimal_point"], *_core.number_at(text, 0, POWERS)[:2])
"""


@pytest.mark.skipif(not shutil.which("localedef"), reason="no other language can be set up")
def test_a_point_is_a_point_in_every_language(tmp_path):
    made = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(tmp_path / "de_DE.UTF-8")]
    if subprocess.run(made, capture_output=True).returncode:
        pytest.skip("the sources of locales are not installed")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "LOCPATH": str(tmp_path)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.split() == [",", "0.12345678901234568", "27"], done.stderr


@given(st.text("0123456789+-.eE inafNXxp\t:#", max_size=12))
def test_any_text_ends_before_its_end(text):
    value, end, _ = read(text)
    assert 0 <= end <= len(text)
    part = text[:end]
    if end and not any(letter in part.lower() for letter in "xn"):
        assert value == float(part)


@given(st.text("0123456789.-+eE ,", max_size=60))
def test_long_numbers_are_found_wherever_they_are(text):
    long = re.search(r"[0-9.]{16}|[eE][+-]*[0-9]{3}", text) is not None
    for before in (0, 7, 65530):
        data = np.frombuffer(b" " * before + text.encode(), np.uint8)
        assert _core.has_long_number(data) == long


@given(st.text("0123456789:.-+e #\tqid\r\n", max_size=80), st.integers(0, 3))
def test_any_bytes_are_parsed_within_the_room(text, missing):
    data = np.frombuffer(text.encode() + b"\n", np.uint8)
    lines, pairs = text.count("\n") + 1, max(text.count(":") - missing, 0)
    room = [np.empty(lines), np.zeros(lines + 1, np.int64)]
    room += [np.empty(pairs, np.int32), np.empty(pairs), np.empty((1, 2), np.int64)]
    try:
        rows, stored, printed, doubts, why, where = _core.parse_svmlight(data, POWERS, *room)
    except IndexError:
        assert missing
        return
    assert 0 <= rows <= lines
    assert 0 <= stored <= pairs
    assert room[1][rows] <= stored
    assert min(printed, doubts) >= 0
    assert why in range(5)
    assert where < len(data)


def svmlight(data=b"1 1:2\n", rows=1, pairs=1):
    return [
        np.frombuffer(data, np.uint8), POWERS, np.empty(rows), np.zeros(rows + 1, np.int64),
        np.empty(pairs, np.int32), np.empty(pairs), np.empty((0, 2), np.int64),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, np.frombuffer(b"1 1:2", np.uint8)),
        (0, np.zeros(0, np.uint8)),
        (0, np.zeros(4, np.int8)),
        (1, POWERS[:-1]),
        (1, POWERS.T),
        (2, np.empty(2)),
        (2, np.empty(1, np.float32)),
        (3, np.zeros(2, np.int32)),
        (4, np.empty(2, np.int32)),
        (4, np.empty(1, np.int64)),
        (5, np.empty((1, 1))),
        (6, np.empty((1, 3), np.int64)),
    ],
    ids=lambda value: "",
)
def test_svmlight_that_does_not_fit_is_refused(place, value):
    arguments = svmlight()
    assert _core.parse_svmlight(*arguments)[:2] == (1, 1)
    arguments[place] = value
    with pytest.raises((TypeError, ValueError)):
        _core.parse_svmlight(*arguments)


def test_more_rows_or_pairs_than_room_are_refused():
    for rows, pairs in ((1, 2), (2, 1)):
        with pytest.raises(IndexError):
            _core.parse_svmlight(*svmlight(b"1 1:2\n0 1:3\n", rows, pairs))


@pytest.mark.parametrize("offsets", [[0, 2, 1], [-1, 0, 1], [0, 1, 9], [0, 1], [5, 5, 5]])
def test_offsets_out_of_range_are_refused(offsets):
    data, how = np.frombuffer(b"12", np.uint8), np.zeros(2, np.int8)
    with pytest.raises(ValueError, match="offsets"):
        _core.read_texts(data, np.array(offsets, np.int32), POWERS, np.zeros(2), how)


def test_texts_with_blanks_around_them_and_none():
    texts = [b" 1.5\t", b"", b"  ", b"x", b"1 2", b"-0", b"1e999"]
    offsets = np.cumsum([0, *map(len, texts)]).astype(np.int32)
    values, how = np.zeros(len(texts)), np.zeros(len(texts), np.int8)
    _core.read_texts(np.frombuffer(b"".join(texts), np.uint8), offsets, POWERS, values, how)
    assert values.tolist()[0] == 1.5
    assert np.signbit(values[5])
    expected = [HELD, DOUBTFUL, DOUBTFUL, DOUBTFUL, DOUBTFUL, HELD, DOUBTFUL]
    assert how.tolist() == expected


@pytest.mark.parametrize("start", [-1, 3, 2**62])
def test_a_number_starts_within_the_data(start):
    with pytest.raises((TypeError, ValueError)):
        read("12", start)


def test_sums_of_columns_keep_what_rounding_loses():
    X = np.array([[1e16, 1.0], [1.0, 2.0**-53], [-1e16, -1.0]])
    totals, tails, ends = np.zeros(2), np.zeros(2), np.array([[np.inf] * 2, [-np.inf] * 2])
    _core.add_columns(X, np.zeros(2), False, totals, tails, ends)
    assert (totals + tails).tolist() == [1.0, 2.0**-53]
    assert ends.tolist() == [[-1e16, -1.0], [1e16, 1.0]]
    for wrong in (np.zeros(3), np.zeros(1), np.zeros((2, 1))):
        with pytest.raises((TypeError, ValueError)):
            _core.add_columns(X, wrong, False, totals, tails, ends)
    with pytest.raises((TypeError, ValueError)):
        _core.add_columns(np.asfortranarray(X), np.zeros(2), True, totals, tails, ends)
