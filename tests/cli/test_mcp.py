"""The tools for an assistant, asked by the SDK's own client of a process that serves them."""

import asyncio
import os
import sys

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from tests.cli.shell import inside

pytestmark = pytest.mark.slow

# The column a alone overlaps in rows 2 and 3; with b, a line separates.
ROWS = "y,a,b\n0,1,2\n0,2,1\n0,6,3\n1,5,1\n1,7,2\n1,8,4\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    top = tmp_path_factory.mktemp("mcp")
    folder = top / "data"
    folder.mkdir()
    (top / "secret.csv").write_text(ROWS)
    (folder / "rows.csv").write_text(ROWS)
    (folder / "-x.csv").write_text("y,a\n0,1\n0,2\n1,3\n1,4\n")
    (folder / "linked.csv").symlink_to(top / "secret.csv")
    (folder / "json.py").write_text("raise SystemExit('code of the folder was run')")
    with open(folder / "large.csv", "wb") as large:
        large.truncate(65 * 2**20)
    done = inside("check", "rows.csv", "--label", "y", "--certificate", "c.json", folder=folder)
    assert done.status == 0, done.err
    return folder


def asked(folder, *questions, seconds=60, tools=None):
    """The answers to these questions, of one process: JSON, or the sentence of an error."""

    async def ask():
        arguments = ["-P", "-m", "novikoff", "mcp", f"--time-limit={seconds}"]
        server = StdioServerParameters(command=sys.executable, args=arguments, cwd=folder)
        async with Client(server, read_timeout_seconds=60) as client:
            if tools is not None:
                tools.extend((await client.list_tools()).tools)
            calls = [client.call_tool(name, options) for name, options in questions]
            return await asyncio.gather(*calls)

    found = asyncio.run(asyncio.wait_for(ask(), 100))
    return [one.content[0].text if one.is_error else one.structured_content for one in found]


def test_what_is_asked_is_answered_and_nothing_is_written(folder):
    before, tools = sorted(os.listdir(folder)), []
    check, few, logit, valid, code, column, *outside, large = asked(
        folder,
        ("check", {"file": "rows.csv", "label": "y", "features": ["a"], "positive": "1"}),
        ("fewest_errors", {"file": str(folder / "rows.csv"), "label": "y", "features": ["a"]}),
        ("diagnose", {"file": "-x.csv", "formula": "y ~ a"}),
        ("verify", {"file": "rows.csv", "certificate": "c.json"}),
        ("diagnose", {"file": "rows.csv", "formula": "y ~ a.__class__"}),
        ("check", {"file": "rows.csv", "label": "q"}),
        ("check", {"file": "../secret.csv", "label": "y"}),
        ("check", {"file": str(folder.parent / "secret.csv"), "label": "y"}),
        ("check", {"file": "linked.csv", "label": "y"}),
        ("verify", {"file": "rows.csv", "certificate": "../secret.csv"}),
        ("check", {"file": "dataset:xor", "label": "y"}),
        ("check", {"file": "large.csv", "label": "y"}),
        tools=tools,
    )
    assert {tool.name for tool in tools} == {"check", "diagnose", "verify", "fewest_errors"}
    assert all(tool.annotations.read_only_hint for tool in tools)
    assert check["verdict"] == "overlapping"
    assert (check["file"], check["columns"], check["rows"]) == ("rows.csv", ["a"], [0, 2, 3])
    assert few["errors"] == {"lower": 1, "upper": 1}
    assert few["columns"] == ["a"]
    assert logit["kind"] == "complete"
    assert valid["valid"] is True
    assert "formula" in code
    assert "no column 'q'" in column
    assert len(outside) == 5
    assert all("there is no such file below the folder" in sentence for sentence in outside)
    assert "has more than 64 MiB" in large
    assert not any("Traceback" in sentence for sentence in (code, column, *outside, large))
    assert sorted(os.listdir(folder)) == before


def test_what_takes_too_long_is_stopped(folder):
    (stopped,) = asked(
        folder, ("verify", {"file": "rows.csv", "certificate": "c.json"}), seconds=0.01
    )
    assert stopped.endswith("this took longer than 0.01 seconds and was stopped.")


def test_what_cannot_be_served_is_said_in_a_sentence(folder, monkeypatch):
    assert "there is no such folder" in inside("mcp", "--folder", "absent", folder=folder).err
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    done = inside("mcp", folder=folder)
    assert done.status == 2
    assert "pip install 'novikoff[mcp]'" in " ".join(done.err.split())
