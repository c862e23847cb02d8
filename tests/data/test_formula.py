"""Formulas of strangers: what the command line computes, and the code that it does not run."""
# ruff: noqa: E501

import pytest
from tests.cli.shell import inside

from novikoff.data.formula import refuse_unsafe
from novikoff.errors import OptionError

SAFE = (
    "y ~ x", "x + 0", "y ~ a*b - 1", "y ~ (a + b)**2", "y ~ (a + b)^2", "y ~ a/b + a:b", "y ~ a %in% b",
    "y ~ `the town` + C(`the town`)", "y ~ C(g)", 'y ~ C(g, Treatment("b"))', "y ~ 2.5:x",
    'y ~ C(g, Treatment(reference="b c-d"))', "y ~ C(g, Sum())",
    "y ~ I(x + 1)", "y ~ I(x**2) + I(-x/z)", "y ~ {x - 2*z}", "y ~ log(x) + exp(-x) + sqrt(I(x))",
    "y ~ log2(`ä ö`) + log10(`π`)", "y ~ bs(x, df=4)", "y ~ bs(x, df=4, degree=3)",
    "y ~ poly(x, 2)", "y ~ poly(x, degree=3, raw=True)", "y ~ center(x) + scale(z)", "y ~ I((x + 1)**-2)",
)  # fmt: skip
CODE = (
    "x[0]", "I(x.__init__.__globals__)", "I(x.values)", "np.log(x)", "`x`.real",
    "I(__import__('os'))", "eval('1')", "open('f')", "I(open('f'))", "print(x)", "Q('x')",
    "hashed(x)", "lag(x)", "getattr(x, 'a')", "I((lambda: x)())", "I([a for a in x])", "I([x])",
    "I({x})", "I((a := x))", "I(f'{x}')", "I(f'{x.a}')", "I('a'*1000)", "I(x if x else x)", "I(x @ x)",
    "I(x and x)", "I(x < x)", "I(x, x)", "I(*x)", "I(**x)", "bs(x, **x)", "bs(*x)", "bs(x, df=z)",
    "bs(x, _context=1)", "bs(x, _state=x)", "poly(x, 1000000000)", "poly(x, degree=1e9)",
    "I(9**9**9)", "I(x**z)", "I(9**1000)", "I(((9**99)**99)**99)", "I(x << 99999)", "I(b'x')", "I(...)",
    "I(1j)", "I('x')", "C('x')", "C(x, contr.treatment)", "C(x, contr.treatment('a'))", "C(x, y)",
    "C(x, [1])", "C(x, I(1))", "C(x, Treatment(x))", "C(x, Treatment('a\\'b'))",
    "C(x, Treatment('a\"b'))", "C(x, Treatment('a\\\\b'))", "C(x, Treatment('\\x22'))",
    "I(__FORMULAIC_CONTEXT__)", "I(`__FORMULAIC_CONTEXT__`)", "I(`x`.a)", "I(`a)`(x))", "I(`log`.a)",
    "log(x.a)", "log(x)(x)", "bs(x)(x)", "(log)(x).a", "{x.a}", "{x[0]}", "{().__class__}", "I(ｅval(x))",
    "C(x, Treatment(reference='{}'))", "I(await x)", "I((yield x))", "I(~x)", "I(not x)", "I(x % 2)",
)  # fmt: skip


@pytest.mark.parametrize("formula", SAFE)
def test_ordinary_formulas_are_safe(formula):
    refuse_unsafe(formula)


@pytest.mark.parametrize("code", CODE)
def test_code_is_refused_alone_and_among_others(code):
    for formula in (f"y ~ {code}", f"y ~ a + b*{code}", f"y ~ a:{code} - 1", code):
        with pytest.raises(OptionError):
            refuse_unsafe(formula)


@pytest.mark.parametrize("command", ["check", "fit", "fewest", "trace", "diagnose"])
def test_no_command_runs_the_code_of_a_formula(command, tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n1,0\n2,1\n3,0\n4,1\n")
    shell = "I(x.__init__.__globals__['sys'].modules['os'].system('touch pwned') + x)"
    done = inside(command, "t.csv", "--formula", f"y ~ {shell}", folder=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert "is Python code, which no formula on the command line may hold" in " ".join(
        done.err.split()
    )
    assert not (tmp_path / "pwned").exists()


def test_a_safe_formula_computes(tmp_path):
    rows = "".join(f"{x},{x * x % 7},{'abc'[x % 3]},{x > 6:d}\n" for x in range(1, 13))
    (tmp_path / "t.csv").write_text("x,z,g,y\n" + rows)
    formula = 'y ~ poly(x, 2) + log(z + 1) + C(g, Treatment(reference="b")) + I(x**2)'
    done = inside("check", "t.csv", "--formula", formula, "--json", folder=tmp_path)
    assert done.status == 0, done.err
