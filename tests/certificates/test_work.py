"""Certificates that are small and would take very long to check: refused with a sentence."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import novikoff
from novikoff.certificates.fields import content_digest
from novikoff.errors import LimitError

CHECKER = Path(__file__).parents[2] / "checker" / "novikoff_check.py"
SECONDS = 30  # each of these had taken more than a minute
D, N = 20, 60


def odd(digits, k):
    """A number of so many digits, odd and of no small divisor with others of its kind."""
    return "1" + "0" * (digits - 8) + f"{2 * k + 1:07d}"


def coprime(count, digits):
    """Fractions in lowest terms, (m + 1)/m, whose denominators have few divisors in common."""
    return [f"{odd(digits, k)[:-1]}{int(odd(digits, k)[-1]) + 1}/{odd(digits, k)}"
            if odd(digits, k)[-1] != "9" else "1" for k in range(count)]  # fmt: skip


HOSTILE = {
    "α of many denominators": {"kind": "not separable", "rows": list(range(40)),
                               "alpha": coprime(40, 20_000)},
    "weights of many denominators": {"kind": "separable", "weights": coprime(D, 9_000),
                                     "intercept": "0"},
    "one long denominator": {"kind": "separable", "intercept": "0",
                             "weights": ["1/" + odd(90_000, 1)] + ["1"] * (D - 1)},
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_small_certificates_do_not_take_long(name, tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.integers(-9, 9, (N, D)).astype(float), np.arange(N) % 2
    fields = novikoff.separate(X, y).certificate().to_dict()
    for field in ("rows", "alpha"):
        del fields[field]
    fields |= HOSTILE[name]
    fields["digest"] = content_digest(fields)
    answer = novikoff.verify(fields, X, y)
    assert not answer.valid
    names = [f"x{j}" for j in range(D)]
    rows = [[*(str(int(x)) for x in row), str(label)] for row, label in zip(X, y, strict=True)]
    data, certificate = tmp_path / "data.csv", tmp_path / "proof.json"
    data.write_text("\n".join(map(",".join, [[*names, "y"], *rows])) + "\n")
    certificate.write_text(json.dumps(fields))
    asked = [sys.executable, str(CHECKER), str(certificate), str(data)]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 1, done.stdout
    if "many" in name:
        assert "denominator" in answer.reason
        assert "denominator" in done.stdout


def test_many_levels_do_not_fill_the_memory():
    def verified(model, levels, features, columns):
        names = [f"a{j}" for j in range(features)]
        fields = novikoff.separate(np.eye(2), [0, 1], names=["p", "q"]).certificate().to_dict()
        fields["model"] = {
            "name": model, "features": names, "intercept": False, "decimals": False,
            "levels": list(range(levels)), "ties": None, "columns": {},
        }  # fmt: skip
        fields |= {"columns": [*columns, *names], "classes": [-1, 1], "fit_intercept": False}
        d = len(fields["columns"])
        fields |= {"d": d, "weights": ["1"] * d, "intercept": "0"}
        fields["digest"] = content_digest(fields)
        return novikoff.verify(fields, np.ones((4, features)), y=[0, 1, 1, 0])

    steps = [f"{k}/{k + 1}" for k in range(39_999)]
    with pytest.raises(LimitError, match="among 40000 ordered classes"):
        verified("adjacent-category", 40_000, 1, steps)
    assert "not the coefficients" in verified("multinomial", 100_000, 100_000, []).reason
