"""`diagnose` treats dates, missing cells and folders as the other commands do."""

import pytest
from tests.cli.shell import inside

LINES = [
    "size,town,when,kind",
    *(
        f"{'' if k % 7 == 3 else (k * 37) % 19},{'ABC'[k % 3]},202{k % 4}-0{k % 9 + 1}-11,"
        f"{'yes' if (k * 37) % 19 > 8 + k % 3 else 'no'}"
        for k in range(60)
    ),
]
READING = ("--categorical", "town", "--dates", "parts", "--impute", "median")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.csv").write_text("\n".join(LINES) + "\n")
    (tmp_path / "parts").mkdir()
    for name, part in (("1", LINES[1:30]), ("2", LINES[30:])):
        (tmp_path / "parts" / f"{name}.csv").write_text("\n".join([LINES[0], *part]) + "\n")
    return tmp_path


@pytest.mark.parametrize("outcome", [("--label", "kind"), ("--formula", "kind ~ size + C(town)")])
def test_the_answer_of_check_and_a_certificate(folder, outcome):
    reading = READING if outcome[0] == "--label" else READING[4:]
    words = []
    for file in ("a.csv", "parts"):
        proof = ("--certificate", f"{file}.json", "--json")
        done = inside("diagnose", file, *outcome, *reading, *proof, folder=folder)
        assert done.status == 0, done.err
        words.append([done.json[key] for key in ("kind", "notes", "coefficients")])
        options = (*outcome[: 2 * (outcome[0] == "--formula")], *reading)
        assert inside("verify", f"{file}.json", file, *options, folder=folder).status == 0
    assert words[0] == words[1]
    assert (folder / "a.csv.json").read_bytes() == (folder / "parts.json").read_bytes()
    assert "missing values filled (median): 9 in 'size'" in " ".join(words[0][1])
    check = inside("check", "a.csv", *outcome, *reading, "--json", folder=folder)
    kinds = {"overlapping": "none", "separable": "complete", "touching": "quasi-complete"}
    assert words[0][0] == kinds[check.json["verdict"]]


def test_an_indicator_and_the_dates_in_the_words_of_the_answer(folder):
    done = inside("diagnose", "a.csv", "--label", "kind", *READING[2:], "--missing-indicator",
                  "--drop", "town", "--certificate", "c.json", folder=folder)  # fmt: skip
    assert done.status == 0, done.err
    assert all(name in done.out for name in ("size.missing", "when.year", "when.weekday"))
    options = (*READING[2:], "--missing-indicator", "--drop", "town")
    assert inside("verify", "c.json", "a.csv", *options, folder=folder).status == 0
