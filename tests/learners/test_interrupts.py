"""Ctrl-C in the middle of long work: a real process, a real signal, an end."""

import signal
import subprocess
import sys

import pytest

PREPARED = """
import warnings; warnings.simplefilter("ignore")
import numpy as np
import novikoff
rng = np.random.default_rng(0)
X, y = rng.normal(size=(200_000, 4)), rng.integers(0, 2, 200_000)
small = slice(0, 40)
"""
# Each would take minutes to hours; the first call loads what is needed.
LONG = {
    "worst": "call = lambda n: novikoff.Perceptron(order='worst', max_iter=9).fit(X[n], y[n])",
    "trace of worst": "call = lambda n: novikoff.trace(X[n], y[n], order='worst', max_iter=9)",
    "epochs": "call = lambda n: novikoff.Perceptron(max_iter=len(X[n]) ** 2).fit(X[n], y[n])",
    "pocket": (
        "call = lambda n: novikoff.PocketPerceptron(max_iter=len(X[n]), random_state=0)"
        ".fit(X[n], y[n])"
    ),
    "subnormal": (
        "call = lambda n: novikoff.Perceptron(max_iter=len(X[n]) ** 2, fit_intercept=False)"
        ".fit(X[small] * 1e-310, y[small])"
    ),
    "exact system": (
        "import flint\nfrom novikoff.exact.lifting import solve_exactly\n"
        "bits = rng.integers(0, 1 << 60, (400, 400, 30))\n"
        "rows = [[sum(int(b) << (60 * k) for k, b in enumerate(x)) for x in row] for row in bits]\n"
        "call = lambda n: solve_exactly("
        "flint.fmpz_mat([row[n] for row in rows[n]]), [1] * len(rows[n]), lambda: None)"
    ),
    "margin": (
        "wide, sides = rng.normal(size=(2800, 2700)), y[:2800]\n"
        "verdicts = {n.stop: novikoff.separate(wide[n], sides[n]) for n in (small, slice(None))}\n"
        "call = lambda n: verdicts[n.stop].margin"
    ),
    "explanation": (
        "wide, sides = rng.normal(size=(2800, 2700)), y[:2800]\n"
        "call = lambda n: novikoff.explain_verdict(novikoff.separate(wide[n], sides[n]))"
    ),
    "fewest errors": "call = lambda n: novikoff.fewest_errors(X[n], y[n])",
    "votes": (
        "voted = novikoff.VotedPerceptron(max_iter=9).fit(X[:20_000], y[:20_000])\n"
        "call = lambda n: voted.predict(X[n])"
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_it_stops_when_asked_to(name):
    program = (
        f"{PREPARED}{LONG[name]}\n"
        "call(small)\n"
        "print('ready', flush=True)\n"
        "try:\n    call(slice(None))\n    print('done', flush=True)\n"
        "except KeyboardInterrupt:\n    print('interrupted', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.7)  # it is well under way
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert out == "interrupted\n"
