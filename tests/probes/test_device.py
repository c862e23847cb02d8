"""What runs on a GPU, beside NumPy: proposals to within rounding, proofs exactly.

    pytest tests/probes/test_device.py -m device -rs

Without a GPU every test here is skipped, and says why.
"""

import numpy as np
import pytest

import novikoff
from novikoff.probes import search
from novikoff.probes.devices import CPU, Device, choose_device
from novikoff.probes.proofs import Prover
from novikoff.probes.search import _started, _step, basis_of


def gpu() -> Device:
    try:
        return choose_device("cuda")[0]
    except novikoff.NovikoffError as error:
        pytest.skip(f"no GPU here: {error}")


pytestmark = pytest.mark.device


def points(n=300, d=40, dtype=np.float32, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * np.exp(rng.standard_normal(d)) + rng.standard_normal(d) * 3
    return X.astype(dtype), rng


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("shape", [(300, 40), (60, 90)])
def test_the_basis_spans_the_same_space(dtype, shape):
    device = gpu()
    X, _ = points(*shape, dtype)
    ours, theirs = basis_of(X, CPU), basis_of(device.points(X), device)
    assert ours.columns.tolist() == theirs.columns.tolist()
    Q = device.host(theirs.Q).astype(np.float64)
    np.testing.assert_allclose(Q @ Q.T, ours.Q.astype(np.float64) @ ours.Q.T, atol=1e-4)


def test_a_step_of_the_search_is_the_same_to_rounding():
    device = gpu()
    X, rng = points()
    Y = rng.choice([-1.0, 1.0], (300, 7)).astype(np.float32)
    basis = basis_of(X, CPU)
    moved = basis._replace(Q=device.array(basis.Q))
    here, there = _started(basis, Y, CPU), _started(moved, device.array(Y), device)
    for _ in range(5):
        _step(here, basis, CPU)
        _step(there, moved, device)
    np.testing.assert_allclose(device.host(there.V), here.V, atol=1e-3)


def test_proofs_hold_or_fail_alike():
    device = gpu()
    X, rng = points()
    here = Prover(X, basis_of(X, CPU), CPU)
    there = Prover(device.points(X), basis_of(device.points(X), device), device)
    assert there.sigma == pytest.approx(here.sigma, rel=1e-6)
    w = rng.standard_normal((40, 5))
    scores = X.astype(np.float64) @ w
    Y = np.where(scores > np.median(scores, axis=0), 1.0, -1.0).astype(np.float32)
    Y[0, 3:] *= -1  # two of the five do not separate any more
    ours, theirs = here.separators(w, Y), there.separators(device.array(w), device.array(Y))
    assert ours.hold.tolist() == theirs.hold.tolist() == [True, True, True, False, False]
    np.testing.assert_allclose(theirs.margins, ours.margins, rtol=1e-9)
    alpha = np.ones((300, 5))
    ours, theirs = (
        here.multipliers(alpha, Y),
        there.multipliers(device.array(alpha), device.array(Y)),
    )
    assert ours.hold.tolist() == theirs.hold.tolist()


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_the_verdicts_are_those_of_the_cpu_and_their_certificates_hold(dtype):
    gpu()
    X, rng = points(240, 60, dtype)
    X[:, 7], X[:, 8], X[:, 9] = 0, 3, X[:, 1]  # dead, constant, copied
    Y = np.column_stack(
        [X[:, 0] > np.median(X[:, 0]), rng.random(240) < 0.5, rng.random(240) < 0.1]
    )
    cpu = novikoff.probe(X, Y, device="cpu", random_state=0, progress=False)
    cuda = novikoff.probe(X, Y, device="cuda", recheck="all", random_state=0, progress=False)
    assert cuda.device == "cuda"
    for ours, theirs in zip(cpu, cuda, strict=True):
        assert [c.verdict for c in theirs.controls] == [c.verdict for c in ours.controls]
        assert theirs.verdict == ours.verdict != "undecided"
        assert theirs.accuracy == pytest.approx(ours.accuracy, abs=0.05)
        if ours.margin is not None:
            assert max(ours.margin.lower, theirs.margin.lower) <= min(
                ours.margin.upper, theirs.margin.upper
            )
        for row in (theirs, *theirs.controls):
            y = np.where(row.labels > 0, row.classes[1], row.classes[0])
            assert novikoff.verify(row.certificate(), X, y).valid


def test_interior_points_settle_what_a_batch_leaves_over(monkeypatch):
    gpu()
    monkeypatch.setattr(search, "MOST_STEPS", 0)
    X, rng = points(160, 79)
    Y = rng.random((160, 6)) < 0.5
    cpu, cuda = (
        novikoff.probe(X, Y, device=name, controls=0, random_state=0, progress=False)
        for name in ("cpu", "cuda")
    )
    assert [row.verdict for row in cuda] == [row.verdict for row in cpu]
    assert "interior points" in cuda.seconds
    assert not {row.verdict for row in cuda} & {"undecided", "touching"}


def test_tensors_on_the_gpu_are_used_where_they_are():
    device = gpu()
    X, rng = points(120, 10)
    y = rng.random(120) < 0.5
    expected = novikoff.probe(X, y, device="cpu", random_state=0, progress=False)[0].verdict
    tensors = [device.array(X)]
    torch = pytest.importorskip("torch", reason="torch is not installed here")
    tensors.append(torch.asarray(X, device="cuda"))
    for tensor in tensors:
        found = novikoff.probe(tensor, y, device="cuda", random_state=0, progress=False)[0]
        assert found.verdict == expected
        assert novikoff.verify(found.certificate(), X, y).valid


def test_memory_that_does_not_suffice_is_a_sentence_and_the_cpu():
    device = gpu()
    X, rng = points(120, 10)
    y = rng.random(120) < 0.5
    pool = device.xp.get_default_memory_pool()
    pool.free_all_blocks()
    pool.set_limit(size=20_000)
    try:
        with pytest.raises(MemoryError, match="GPU's memory"):
            novikoff.probe(X, y, device="cuda", progress=False)
        found = novikoff.probe(X, y, device="auto", progress=False)
    finally:
        pool.set_limit(size=0)
    assert found.device == "cpu"
    assert "The CPU was used instead." in found.notes[0]
