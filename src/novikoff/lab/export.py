"""The lab as files that any web server can carry: the page with an engine of its own in JavaScript.

The engine answers what the API answers, for points on the line and in the plane; `answers.json` has
what does not depend on points: what the lab can do, and the points of the presets.
"""

import json
from importlib import resources
from pathlib import Path
from typing import Any

from novikoff.core.files import write_text
from novikoff.errors import FileError
from novikoff.lab.engine.presets import preset
from novikoff.lab.messages.presets import DEFAULT_MARGIN, about_lab

ANSWERS = "answers.json"
LEFT_OUT = "iris-four-columns"  # the engine of the page sees two columns
SLIDER = [step / 20 for step in range(1, 41)]  # the margins that the page's slider has
POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="'
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'\">"
)


def export(folder: Path) -> list[Path]:
    """Write the page, its engine and its answers into `folder`; the files that were written."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / ANSWERS).is_file():
        raise FileError(f"--export {folder}: there are other files in it; name a new folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"--export {folder}: cannot be made: {error.strerror}.") from error
    written = []
    for file in resources.files("novikoff.lab").joinpath("page").iterdir():
        if not file.name.endswith((".html", ".css", ".js", ".svg")):
            continue
        text = file.read_text(encoding="utf-8")
        if file.name == "index.html":
            text = text.replace('<html lang="en">', '<html lang="en" data-engine="browser">')
            text = text.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n  {POLICY}')
        written.append(folder / file.name)
        write_text(written[-1], text)
    written.append(folder / ANSWERS)
    write_text(written[-1], json.dumps(_answers(), ensure_ascii=False, separators=(",", ":")))
    return written


def _answers() -> dict[str, Any]:
    """What the page asks without points, by the address that it asks."""
    about = about_lab(None)
    about.presets = [one for one in about.presets if one.name != LEFT_OUT]
    made = {
        f"presets/{one.name}": preset(one.name, DEFAULT_MARGIN).model_dump()
        for one in about.presets
    }
    for margin in SLIDER:
        made[f"presets/margin?margin={margin:g}"] = preset("margin", margin).model_dump()
    return {"about": about.model_dump(), **made}
