"""Factorisations in blocks: what LAPACK's one call gives, but for the last bits."""

import numpy as np
import pytest

from novikoff.core import blas as blockwise
from novikoff.core.blas import (
    cholesky_in_place,
    eliminate_in_place,
    invert_upper,
    orthonormal,
    row_blocks,
)


@pytest.fixture(params=["at once", "in blocks"])
def sizes(request, monkeypatch):
    if request.param == "in blocks":
        monkeypatch.setattr(blockwise, "AT_ONCE", 0)
        monkeypatch.setattr(blockwise, "COLUMNS", 7)


@pytest.mark.parametrize("shape", [(1, 1), (7, 7), (30, 8), (40, 40), (60, 33)])
@pytest.mark.parametrize("closeness", [1.0, 1e-9])
def test_qr(shape, closeness, sizes):
    """Nearly dependent columns too: once would not be enough."""
    rng = np.random.default_rng(0)
    A = rng.standard_normal((shape[0], 1)) + closeness * rng.standard_normal(shape)
    Q, R = orthonormal(A)
    assert Q.shape == shape
    assert np.allclose(Q.T @ Q, np.eye(shape[1]), atol=1e-13)
    assert np.allclose(Q @ R, A, rtol=0, atol=1e-13 * np.abs(A).max())
    assert (np.tril(R, -1) == 0).all()
    assert np.allclose(np.abs(np.diag(R)), np.abs(np.diag(np.linalg.qr(A)[1])), rtol=1e-4)


@pytest.mark.parametrize("p", [1, 6, 7, 8, 50])
def test_cholesky(p, sizes):
    rng = np.random.default_rng(p)
    root = rng.standard_normal((p + 5, p))
    G = np.asfortranarray(root.T @ root)
    expected = np.linalg.cholesky(G)
    G[np.triu_indices(p, 1)] = np.nan  # not to be read
    cholesky_in_place(G)
    assert np.allclose(np.tril(G), expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("at", [0, 6, 7, 29])
def test_no_cholesky_factor(at, sizes):
    G = np.asfortranarray(np.eye(30))
    G[at, at] = -1.0
    with pytest.raises(np.linalg.LinAlgError, match=f"order {at + 1} "):
        cholesky_in_place(G)


@pytest.mark.parametrize("shape", [(1, 1), (7, 7), (30, 8), (40, 40), (90, 33)])
def test_elimination(shape, sizes):
    A = np.random.default_rng(1).standard_normal(shape)
    U = np.asfortranarray(A)
    order = eliminate_in_place(U)
    assert sorted(order) == list(range(shape[0]))
    lower = np.tril(U, -1) + np.eye(*shape)
    assert np.abs(lower).max() == 1.0  # the pivots are the greatest of their columns
    assert np.allclose(lower @ np.triu(U)[: shape[1]], A[order], rtol=0, atol=1e-13)


@pytest.mark.parametrize("p", [1, 7, 8, 50])
def test_inverse_of_a_triangle(p, sizes):
    R = np.triu(np.random.default_rng(p).standard_normal((p, p))) + 3 * np.eye(p)
    X = invert_upper(R)
    assert (np.tril(X, -1) == 0).all()
    assert np.allclose(R @ X, np.eye(p), atol=1e-9)
    R[p // 2, p // 2] = 0.0
    assert invert_upper(R) is None


def test_rows_in_blocks(sizes):
    A = np.random.default_rng(0).standard_normal((40, 3))
    assert np.array_equal(np.concatenate(list(row_blocks(A))), A)


def test_no_call_takes_more_than_a_block(monkeypatch):
    """Python hears Ctrl-C between two calls."""
    calls = []
    monkeypatch.setattr(blockwise, "AT_ONCE", 0)
    monkeypatch.setattr(blockwise, "COLUMNS", 10)
    plain = np.linalg.qr
    monkeypatch.setattr(np.linalg, "qr", lambda A: calls.append(A.shape) or plain(A))
    orthonormal(np.random.default_rng(0).standard_normal((60, 50)))
    assert calls == [(60, 10)] * 10
