import base64
from pathlib import Path

import pytest

from novikoff.errors import FileError, OptionError
from novikoff.figures import plot_perceptron, save
from novikoff.figures.save import data_uri

MAGIC = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_the_ending_is_the_format_and_the_bytes_repeat(kind: str, tmp_path: Path) -> None:
    first = save(plot_perceptron(), tmp_path / f"a.{kind}").read_bytes()
    assert first.startswith(MAGIC[kind])
    assert save(plot_perceptron(), tmp_path / f"b.{kind.upper()}").read_bytes() == first


def test_another_ending_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="'png', 'svg', 'pdf'; got 'bmp'"):
        save(plot_perceptron(), tmp_path / "a.bmp")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written"):
        save(plot_perceptron(), tmp_path / "missing" / "a.png")


def test_a_data_uri_holds_the_png() -> None:
    head, _, body = data_uri(plot_perceptron()).partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(body).startswith(MAGIC["png"])
