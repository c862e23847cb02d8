"""A pickled verdict carries the data once, and answers what it answered before."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff

RNG = np.random.default_rng(0)
DATA = RNG.normal(size=(3000, 8))
KINDS = {
    "float64": DATA,
    "decimals": np.round(DATA, 2),
    "sparse": sp.random_array((3000, 8), density=0.4, rng=RNG, format="csr"),
    "long": (DATA * 2**40).astype(np.int64) * 2**14 + 1,
}


def bytes_of(X):
    if sp.issparse(X):
        return X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    return X.nbytes


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("apart", [True, False])
def test_the_data_is_there_once(kind, apart):
    X = KINDS[kind]
    dense = X.toarray() if sp.issparse(X) else X
    y = dense[:, 0] > 0 if apart else RNG.integers(0, 2, len(dense))
    verdict = novikoff.separate(X, y, decimals=kind == "decimals")
    text = pickle.dumps(verdict)
    assert len(text) < 1.2 * bytes_of(X) + 20_000
    again = pickle.loads(text)
    assert again.problem == verdict.problem
    assert again.certificate().digest == verdict.certificate().digest
    if isinstance(verdict, novikoff.Separable):
        assert again.margin == verdict.margin
    assert len(pickle.dumps(again)) < 1.2 * bytes_of(X) + 20_000
