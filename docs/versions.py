"""Writes the list of versions that the site's menu shows: python docs/versions.py SITE ADDRESS.

SITE has a folder for each version, as `make docs` builds it; ADDRESS is where SITE will be read.
"""

import json
import sys
from pathlib import Path


def write(site: Path, address: str) -> None:
    """Write switcher.json, newest first, and an index.html that leads to the newest release."""
    releases = [folder.name for folder in site.iterdir() if folder.name[0].isdigit()]
    releases.sort(key=lambda name: [int(part) for part in name.split(".")], reverse=True)
    names = {name: name for name in releases}
    if releases:
        names[releases[0]] += " (stable)"
    if (site / "dev").is_dir():
        names["dev"] = "dev"
    menu = [
        {"version": version, "name": name, "url": f"{address.rstrip('/')}/{version}/"}
        for version, name in names.items()
    ]
    (site / "switcher.json").write_text(json.dumps(menu, indent=1) + "\n", "utf-8")
    start = f'<meta http-equiv="refresh" content="0; url={next(iter(names))}/">\n'
    (site / "index.html").write_text(start, "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2])
