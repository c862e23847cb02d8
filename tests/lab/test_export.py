"""What `novikoff lab --export` writes, and where it refuses to write."""

import json

import pytest

from novikoff.errors import FileError
from novikoff.lab.export import export


def test_all_files_of_the_page_are_written_and_written_again(tmp_path):
    folder = tmp_path / "new" / "lab"
    written = export(folder)
    assert {path.name for path in written} == {path.name for path in folder.iterdir()}
    assert {"index.html", "engine.js", "lab.css", "answers.json"} <= {path.name for path in written}
    page = (folder / "index.html").read_text("utf-8")
    assert 'data-engine="browser"' in page
    assert "Content-Security-Policy" in page
    assert export(folder) == written


def test_what_depends_on_no_points_is_kept(tmp_path):
    export(tmp_path / "lab")
    kept = json.loads((tmp_path / "lab" / "answers.json").read_text("utf-8"))
    names = [preset["name"] for preset in kept["about"]["presets"]]
    assert "xor" in names
    assert "iris-four-columns" not in names
    assert all(f"presets/{name}" in kept for name in names)
    assert all(len(kept[f"presets/{name}"]["points"]["names"]) <= 2 for name in names)


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileError, match="there are other files in it"):
        export(tmp_path)
    with pytest.raises(FileError, match="cannot be made"):
        export(tmp_path / "mine.txt" / "lab")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
