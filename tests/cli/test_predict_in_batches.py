"""`predict` reads a file in batches, and nobody can tell from what it writes."""

import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.cli.shell import inside

from novikoff.data.scans import csv
from novikoff.estimators.persistence import predict

ROWS = 300


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A model, and files whose columns are of another kind after the first batch."""
    rng = np.random.default_rng(0)
    size = rng.normal(size=ROWS).round(3).tolist()
    columns = {
        "size": [None if k % 50 == 7 else x for k, x in enumerate(size)],
        "town": ["Rome, Italy" if k % 3 == 0 else "Oslo" for k in range(ROWS)],
        "count": [k if k < 200 else k + 0.5 for k in range(ROWS)],
        "code": [str(k) if k < 200 else f"0x{k:x}" for k in range(ROWS)],
        "when": [f"2024-01-{k % 28 + 1:02d}" + " 10:30" * (k > 250) for k in range(ROWS)],
        "late": [None if k < 200 else k for k in range(ROWS)],
        "kind": ["no" if x is None or x < 0 else "yes" for x in size],
    }
    lines = [",".join(columns)]
    for row in zip(*columns.values(), strict=True):
        cells = ["" if cell is None else str(cell) for cell in row]
        lines.append(",".join(f'"{cell}"' if "," in cell else cell for cell in cells))
    text = "\n".join(lines) + "\n"
    (tmp_path / "a.csv").write_text(text)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(text.encode()))
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    kept = [{k: v for k, v in record.items() if v is not None} for record in records]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in kept))
    (tmp_path / "parts").mkdir()
    for name, part in (("1", lines[1:270]), ("2", lines[270:])):
        (tmp_path / "parts" / f"{name}.csv").write_text("\n".join([lines[0], *part]) + "\n")
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    fit = ("fit", "a.csv", "--label", "kind", "--features", "size,town,late", "--model", "m")
    done = inside(*fit, "--categorical", "town", "--impute", "mean", folder=tmp_path)
    assert done.status == 0, done.err
    monkeypatch.setattr(csv, "TEXT_BLOCK", 1 << 12)
    monkeypatch.setattr(predict, "ROWS", 64)
    return tmp_path


@pytest.mark.parametrize("file", ["a.csv", "a.csv.gz", "a.jsonl", "parts", "a.parquet"])
@pytest.mark.parametrize("out", ["p.csv", "p.parquet"])
def test_the_same_as_of_the_whole_file(folder, monkeypatch, file, out):
    words = []
    written = []
    for whole in (False, True):
        if whole:
            monkeypatch.setattr(predict, "blocks_of", lambda *_: None)
        done = inside("predict", "m", file, "--out", out, "--force", "--json", folder=folder)
        assert done.status == 0, done.err
        words.append(done.out)
        written.append(
            (folder / out).read_bytes() if out == "p.csv" else pq.read_table(folder / out)
        )
    assert words[0] == words[1]
    assert written[0] == written[1]
    assert json.loads(words[0])["rows"] == ROWS


def test_rows_without_a_value_and_an_unknown_level_in_a_later_batch(folder):
    model = ("fit", "a.csv", "--label", "kind", "--features", "size,town", "--model", "n")
    options = ("--categorical", "town", "--drop-missing")
    assert inside(*model, *options, folder=folder).status == 0
    done = inside("predict", "n", "a.csv", folder=folder)
    assert (done.status, "the first at row 7 (line 9)" in done.err) == (2, True)
    done = inside("predict", "n", "a.csv", "--drop-missing", "--json", folder=folder)
    assert done.json["without_prediction"] == 6
    assert [k for k, row in enumerate(done.json["table"]) if row["predicted"] is None] == [
        7, 57, 107, 157, 207, 257,
    ]  # fmt: skip
    text = (folder / "a.csv").read_text()
    (folder / "b.csv").write_text(text.replace("Oslo,283.5", "Lima,283.5"))
    done = inside("predict", "n", "b.csv", "--drop-missing", folder=folder)
    assert (done.status, "'Lima' at row 283 (line 285)" in done.err) == (2, True), done.err
    (folder / "c.csv").write_text("size,town\n,Oslo\n,Rome\n")
    done = inside("predict", "n", "c.csv", "--drop-missing", "--json", folder=folder)
    assert done.status == 0, done.err
    assert done.json["without_prediction"] == 2
