"""The package as type checkers and editors see it."""

import subprocess
import sys
from pathlib import Path

import jedi
import pytest

import novikoff

pytestmark = pytest.mark.slow

CORRECT = """
from typing import assert_type

import novikoff
from novikoff import Certificate, Perceptron, Verification, load_dataset, verify
from novikoff.data.table import Table

table = load_dataset("xor")
assert_type(table, Table)
unit = novikoff.Perceptron(eta0=1.0)
assert_type(unit, Perceptron)
verdict = novikoff.separate(table.X, table.y)
if isinstance(verdict, novikoff.Separable):
    assert_type(verdict.margin, novikoff.Interval)
proof = verdict.certificate()
assert_type(proof, Certificate)
assert_type(verify(proof, table.X, table.y), Verification)
assert_type(novikoff.__version__, str)
novikoff.figures.plot_xor()
"""
# Each line, with what mypy has to say of it.
WRONG = {
    "novikoff.separat([[0.0]], [0])": 'Module has no attribute "separat"; maybe "separate"',
    "novikoff.Perceptron(eta=1.0)": 'Unexpected keyword argument "eta" for "Perceptron"',
    "novikoff.load_dataset(3)": 'has incompatible type "int"; expected "str"',
    "novikoff.load_dataset('xor').rows_": '"Table" has no attribute "rows_"',
}


@pytest.fixture(scope="module")
def mypy_says(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("typed")
    (folder / "correct.py").write_text(CORRECT, "utf-8")
    (folder / "wrong.py").write_text("import novikoff\n" + "\n".join(WRONG) + "\n", "utf-8")
    # What mypy remembers of NumPy saves half a minute; it is kept beside the project's own.
    cache = Path(__file__).parents[1] / ".mypy_cache" / "users"
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    done = subprocess.run(
        [*command, "--cache-dir", str(cache), "correct.py", "wrong.py"],
        cwd=folder,
        env={"MYPYPATH": str(Path(novikoff.__file__).parents[1]), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    return done.stdout


def test_mypy_knows_the_type_of_every_name(mypy_says: str) -> None:
    assert "correct.py" not in mypy_says, mypy_says


@pytest.mark.parametrize("line", WRONG)
def test_mypy_sees_a_mistake(mypy_says: str, line: str) -> None:
    number = 2 + list(WRONG).index(line)
    said = [text for text in mypy_says.splitlines() if text.startswith(f"wrong.py:{number}: error")]
    assert WRONG[line] in "".join(said)


def completions(code: str) -> list[str]:
    return [completion.name for completion in jedi.Script(code).complete()]


def test_an_editor_completes_every_public_name() -> None:
    assert set(novikoff.__all__) <= set(completions("import novikoff\nnovikoff."))
    found = set(completions("import novikoff\nnovikoff.separa"))
    assert found >= {"separate", "Separable", "Separation"}
    assert "PocketPerceptron" in completions("from novikoff import P")


def test_an_editor_completes_what_an_answer_offers() -> None:
    code = "import novikoff\nunit = novikoff.Perceptron()\nunit."
    assert {"fit", "predict", "partial_fit"} <= set(completions(code))
    code = "import novikoff\nnovikoff.load_dataset('xor')."
    assert {"X", "y", "names"} <= set(completions(code))


def test_an_editor_shows_parameters_and_documentation() -> None:
    (signature,) = jedi.Script("import novikoff\nnovikoff.Perceptron(").get_signatures()
    assert "eta0" in {parameter.name for parameter in signature.params}
    (name,) = jedi.Script("import novikoff\nnovikoff.separate").infer()
    assert "hyperplane" in name.docstring()
