"""SHA-256 in the extension: the digests of `hashlib`, from any pieces of the bytes."""

import hashlib
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff import _core
from novikoff.matrix.digest import Sha256


@given(st.lists(st.binary(max_size=200), max_size=8))
def test_any_pieces_make_the_digest_of_all_bytes(pieces):
    sha = Sha256()
    for piece in pieces:
        sha.update(piece)
        sha = pickle.loads(pickle.dumps(sha))
    assert sha.hexdigest() == hashlib.sha256(b"".join(pieces)).hexdigest()


def test_more_than_a_block_of_work():
    data = np.random.default_rng(0).integers(0, 256, 3_000_001, dtype=np.uint8)
    sha = Sha256()
    sha.update(data)
    assert sha.hexdigest() == hashlib.sha256(data).hexdigest()


def state():
    return np.zeros(8, np.uint32)


def bytes_of(n):
    return np.zeros(n, np.uint8)


@pytest.mark.parametrize(
    ("words", "data"),
    [
        (np.zeros(7, np.uint32), bytes_of(64)),
        (state(), bytes_of(63)),
        (np.zeros((8, 1), np.uint32), bytes_of(64)),
        (np.zeros(8, np.int64), bytes_of(64)),
        (np.zeros(16, np.uint32)[::2], bytes_of(64)),
        (state().astype(">u4"), bytes_of(64)),
        (state(), bytes_of(128)[::2]),
        (state(), np.zeros(64, np.int32)),
        (state(), None),
    ],
    ids=lambda value: "",
)
def test_what_does_not_fit_is_refused(words, data):
    with pytest.raises((TypeError, ValueError)):
        _core.sha256_update(words, data)


def test_a_state_that_cannot_be_written_is_refused():
    words = state()
    words.flags.writeable = False
    with pytest.raises(TypeError):
        _core.sha256_update(words, bytes_of(64))
    _core.sha256_update(state(), np.frombuffer(bytes(64), np.uint8))  # read-only data is fine
