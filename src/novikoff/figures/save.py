"""Figures as files and as text: PNG, SVG and PDF, the same bytes whenever they are made again."""

import base64
import io
import os
from pathlib import Path
from typing import Literal

from matplotlib import rc_context
from matplotlib.figure import Figure

from novikoff.core.files import replace_whole
from novikoff.core.options import choice

Format = Literal["png", "svg", "pdf"]
FORMATS: tuple[Format, ...] = ("png", "svg", "pdf")

# Who made it, so that it may be replaced; no date, so that the same figure is the same file.
METADATA: dict[str, dict[str, str | None]] = {
    "png": {"Software": "novikoff"},
    "svg": {"Creator": "novikoff", "Date": None},
    "pdf": {"Creator": "novikoff", "CreationDate": None},
}


def save(figure: Figure, path: str | os.PathLike[str], *, dpi: float = 150) -> Path:
    """Write `figure` to `path`, as PNG, SVG or PDF by the name's ending; whole or not at all."""
    path = Path(path)
    content = encode(figure, choice("the file's ending", path.suffix.lower()[1:], FORMATS), dpi=dpi)
    with replace_whole(path) as temporary:
        temporary.write_bytes(content)
    return path


def encode(figure: Figure, kind: str, *, dpi: float = 150) -> bytes:
    """The figure as the bytes of a file of that `kind`."""
    buffer = io.BytesIO()
    with rc_context({"svg.hashsalt": "novikoff"}):
        figure.savefig(
            buffer,
            format=kind,
            dpi=dpi,
            bbox_inches="tight",
            pad_inches=0.12,
            metadata=METADATA[kind],
        )
    return buffer.getvalue()


def data_uri(figure: Figure, *, dpi: float = 110) -> str:
    """The figure as a PNG inside an address, for a page that stands by itself."""
    text = base64.b64encode(encode(figure, "png", dpi=dpi)).decode("ascii")
    return f"data:image/png;base64,{text}"
