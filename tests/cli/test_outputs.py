"""Output never replaces input, and a stranger's file only with --force."""

import os
import shutil
import subprocess
import sys

import pytest
from tests.cli.shell import inside, novikoff

from novikoff.core.files import is_ours

DATA = "a,b,y\n0,0,n\n1,2,p\n2,1,p\n0,1,n\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data.csv").write_text(DATA)
    (tmp_path / "notes.txt").write_text("mine")
    return tmp_path


def check(folder, *options):
    return inside("check", "data.csv", "--label", "y", "--no-explain", *options, folder=folder)


def test_output_does_not_replace_the_input(folder):
    os.symlink(folder / "data.csv", folder / "link.json")
    os.link(folder / "data.csv", folder / "hard.json")
    for name in ("data.csv", "./data.csv", str(folder / "data.csv"), "link.json", "hard.json"):
        for option in ("--certificate", "--report"):
            for force in ((), ("--force",)):
                done = check(folder, option, name, *force)
                assert (done.status, done.out) == (2, "")
                assert "this is the input" in done.err
    assert (folder / "data.csv").read_text() == DATA


def test_output_does_not_replace_the_file_behind_standard_input(folder):
    command = f'"{sys.executable}" -m novikoff check - --label y --certificate data.csv --force'
    done = subprocess.run(
        ["bash", "-c", f"{command} < data.csv"], cwd=folder, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "this is the input" in done.stderr
    assert (folder / "data.csv").read_text() == DATA


def test_two_outputs_are_two_files(folder):
    done = check(folder, "--certificate", "new.json", "--report", "./new.json")
    assert done.status == 2
    assert "what --certificate writes" in done.err
    assert not (folder / "new.json").exists()
    done = inside(
        "fit", "data.csv", "--label", "y", "--model", "m", "--checkpoint", "m", folder=folder
    )
    assert (done.status, "what --checkpoint writes" in done.err) == (2, True)


def test_a_stranger_s_file_is_replaced_with_force_only(folder):
    done = check(folder, "--certificate", "notes.txt")
    assert done.status == 2
    assert "--force" in done.err
    assert (folder / "notes.txt").read_text() == "mine"
    assert check(folder, "--certificate", "notes.txt", "--force").status == 0
    assert is_ours(folder / "notes.txt")


def test_our_own_files_are_replaced(folder):
    for _ in range(2):
        assert check(folder, "--certificate", "c.json", "--report", "page.html").status == 0
        fit = ("fit", "data.csv", "--label", "y", "--model", "m.novikoff")
        assert inside(*fit, folder=folder).status == 0
        trace = ("trace", "data.csv", "--label", "y", "--out", "t.parquet")
        assert inside(*trace, folder=folder).status == 0
        for name in ("f.png", "f.svg", "f.pdf"):
            assert inside("plot", "xor", "--out", name, folder=folder).status == 0
    for name in ("c.json", "page.html", "m.novikoff", "t.parquet", "f.png", "f.svg", "f.pdf"):
        assert is_ours(folder / name), name


@pytest.mark.parametrize(
    "command",
    [
        ("fit", "data.csv", "--label", "y", "--model"),
        ("trace", "data.csv", "--label", "y", "--out"),
        ("datasets", "xor", "--out"),
        (
            "stream",
            "data.csv",
            "--label",
            "y",
            "--classes",
            "n,p",
            "--test-then-train",
            "--predictions",
        ),
    ],
    ids=lambda command: command[0],
)
def test_every_command_asks_first(folder, command):
    shutil.copy(folder / "notes.txt", folder / "notes.csv")
    done = inside(*command, "notes.csv", folder=folder)
    assert (done.status, "--force" in done.err) == (2, True)
    assert (folder / "notes.csv").read_text() == "mine"
    assert inside(*command, "notes.csv", "--force", folder=folder).status == 0


def test_predict_and_plot_ask_first(folder):
    inside("fit", "data.csv", "--label", "y", "--model", "m", folder=folder)
    for out in ("data.csv", "m"):
        done = inside("predict", "m", "data.csv", "--out", out, "--force", folder=folder)
        assert (done.status, "this is the input" in done.err) == (2, True)
    assert inside("predict", "m", "data.csv", "--out", "p.csv", folder=folder).status == 0
    done = inside("predict", "m", "data.csv", "--out", "p.csv", folder=folder)
    assert (done.status, "--force" in done.err) == (2, True)
    shutil.copy(folder / "notes.txt", folder / "fig.png")
    assert inside("plot", "xor", "--out", "fig.png", folder=folder).status == 2
    assert inside("plot", "xor", "--out", "fig.png", "--force", folder=folder).status == 0


def test_terminals_that_know_only_ascii(folder):
    os.rename(folder / "data.csv", folder / "größe.csv")
    done = novikoff("check", "größe.csv", "--label", "y", folder=folder, PYTHONIOENCODING="ascii")
    assert done.status == 0
    assert (done.out + done.err).isascii()
    assert "gamma" in done.out
    done = novikoff(
        "check", "größe.csv", "--label", "y", "--json", folder=folder, PYTHONIOENCODING="latin-1"
    )
    assert done.json["file"] == "größe.csv"
    done = novikoff("check", "größe.csv", "--label", "ŵ", folder=folder, PYTHONIOENCODING="ascii")
    assert (done.status, done.out) == (2, "")
    assert done.err.isascii()


@pytest.mark.parametrize(
    ("content", "options", "sentence"),
    [
        (bytes(range(256)) * 20, (), "not utf-8 text"),
        (b"a,b,y\n1,2,0\n" + b"x" * 200_000 + b",3,1\n2,2,1\n", (), "200002 characters"),
        (b"a,b,y\n1,2,0\n" + b"7" * 200_000 + b",3,1\n2,2,1\n", (), "holds inf at row 1"),
        (b"a,b,y\n1,2,0\n2,3,1\n3,3," + b"x" * 200_000 + b"\n", (), "3 classes"),
        (DATA.encode(), ("--formula", "y ~ {``}"), "cannot be read"),
        (DATA.encode(), ("--formula", "y ~ (a+b)**30"), "1073741826 terms"),
        (DATA.encode(), ("--formula", "y ~ a ~ b ~"), "formula"),
        (DATA.encode(), ("--formula", "y ~ a[[["), "formula"),
    ],
    ids=["bytes", "long text", "long number", "long label", "braces", "power", "tildes", "open"],
)
def test_each_bad_input_is_a_sentence(tmp_path, content, options, sentence):
    (tmp_path / "t.csv").write_bytes(content)
    done = inside("check", "t.csv", *(options or ("--label", "y")), "--quiet", folder=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
    assert "Traceback" not in done.err
    assert "unexpected" not in done.err
    assert len(done.err) < 1500


def test_an_empty_name_is_no_file(tmp_path):
    for command in ("check", "stream"):
        done = inside(command, "", "--label", "y", folder=tmp_path)
        assert done.status == 2
        assert "the name of the file is empty: which file is meant?" in done.err


@pytest.mark.parametrize(
    ("closed", "command", "status"),
    [
        (">&-", "check data.csv --label y --expect overlapping", 1),
        ("<&- >&- 2>&-", "check data.csv --label y --json", 0),
        (">&-", "datasets xor --out -", 0),
        (">&-", "stream data.csv --label y --classes n,p --test-then-train", 0),
        (">&-", "--version", 0),
    ],
)
def test_closed_standard_output_changes_no_status(folder, closed, command, status):
    line = f'exec "{sys.executable}" -m novikoff {command} {closed}'
    done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (status, "")
    assert "unexpected" not in done.stderr
