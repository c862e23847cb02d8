"""Terminals of eighty columns: one line stays one, words stay whole, tables lose no letter."""

import re
import time

import numpy as np
import pytest
from tests.cli.terminal import in_a_terminal

from novikoff.cli.stream import status_line
from novikoff.core.progress import moving_line
from novikoff.stream.account import Account

WIDTHS = (80, 120)
ASCII = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
UP = b"\x1b[1A"  # what is written to draw a second line anew


def lines_of(printed):
    """The lines without colours and movements."""
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed.decode())
    return [part for line in text.splitlines() for part in line.split("\r")]


def parts_of_a_stream():
    """A thousand examples every third of a second: a status line for each part."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 10)).round(3)
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=len(X)) > 0, 1, -1)
    lines = "".join(f"{','.join(map(str, x))},{label}\n" for x, label in zip(X, y, strict=True))
    yield ",".join(f"x{j}" for j in range(10)) + ",y\n"
    for _ in range(4):
        yield lines
        time.sleep(0.3)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("environment", [{}, ASCII], ids=["utf-8", "ascii"])
def test_the_status_of_a_stream_is_one_line(width, environment):
    command = ("stream", "-", "--label", "y")
    printed, status = in_a_terminal(width, *command, parts=parts_of_a_stream(), **environment)
    assert status == 0
    shown = [line for line in lines_of(printed) if "mistakes, recently" in line]
    assert len(shown) > 1
    assert all(len(line.rstrip()) < width for line in shown)
    assert all(re.search("augmented (γ ≤|gamma <=)", line) for line in shown)
    moved = printed.partition(b"learner")[0]
    assert moved.count(UP) <= 1  # to leave the line at the end


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("examples", [0, 1, 12_345_678_901])
def test_a_status_line_fits_and_says_first_what_matters_most(examples, encoding):
    account = Account(examples, examples // 2, 1000, 500, 7.5, 1e3, 0.0123456, 0.2)
    before = 0
    for width in range(30, 200):
        line = status_line(account, 12_345.6, width, encoding)
        assert len(line) < width
        assert line.isascii() or encoding == "utf-8"
        assert len(line) >= before
        before = len(line)
    assert "\n" not in line


@pytest.mark.parametrize("width", WIDTHS)
def test_errors_break_between_words(width, tmp_path):
    (tmp_path / "towns.csv").write_text("name,country,size,y\nA,b,1,0\nB,c,2,1\n")
    command = ("check", "towns.csv", "--label", "y", "--quiet")
    printed, status = in_a_terminal(width, *command, folder=tmp_path)
    assert status == 2
    lines = [line.rstrip() for line in lines_of(printed) if line.strip()]
    assert len(lines) > 1
    assert all(len(line) <= width for line in lines)
    assert " ".join(lines) == (
        "novikoff: towns.csv: columns 'name', 'country' hold text, not numbers: make categories "
        "of them (categorical, --categorical name,country, or --categorical auto; a formula does "
        "it by itself) or leave them out (drop, --drop name,country)."
    )


@pytest.mark.parametrize("layers", [False, True])
def test_a_table_of_probes_has_whole_words(layers, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    if layers:
        np.savez(tmp_path / "x.npz", first=X, second=X[:, :2])
    else:
        np.save(tmp_path / "x.npy", X)
    names = "first,the second of all concepts here"
    labels = np.column_stack([X[:, 0] > 0, rng.integers(0, 2, 60)]).astype(int)
    np.savetxt(tmp_path / "y.csv", labels, "%d", ",", header=names, comments="")
    file = f"x.np{'z' if layers else 'y'}"
    printed, status = in_a_terminal(80, "probe", file, "--labels", "y.csv", folder=tmp_path)
    assert status == 0
    lines = lines_of(printed)
    assert not any("…" in line for line in lines)
    assert all(len(line) <= 80 for line in lines)
    head = next(line for line in lines if "verdict" in line)
    assert "geometric margin" in head
    told = next(line for line in lines if "too narrow for" in line)
    for column in ("errors", "accuracy", "AUC", "controls", "selectivity", "Cover"):
        assert (column in head) != (column in told)


def test_what_moves_is_one_line_and_no_markup():
    import io

    from rich.console import Console

    written = io.StringIO()
    console = Console(file=written, width=60, force_terminal=True)
    with moving_line(console) as bar:
        bar.add_task("[bold] " + "a long description of what is being done " * 4, total=None)
        bar.refresh()
    text = written.getvalue()
    assert "[bold] a long description" in text
    assert text.count("\x1b[1A") <= 1
