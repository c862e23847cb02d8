"""Where compiled code is kept: one file a loop and signature, valid for the sources it came from.

Numba's own cache looks at the file of the function that it compiled, not at the files of what
that function calls, and numbers the files of a function in the order in which they are written.
So a changed callee would run on as it was, and two processes that compile at the same time could
each write a file of the same number. Here every file carries one stamp of all sources that compiled
code is made from, and a name made of the signature: nothing is stale, nothing is numbered.
"""

# Numba's classes carry no types.
# mypy: allow-untyped-calls

import hashlib
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime.nrt import rtsys

__all__ = ["keep_machine_code", "mark_of_completeness", "source_stamp", "sources_of_compiled_code"]

PACKAGE = Path(__file__).parents[1]
IMPORT = re.compile(
    rb"^\s*(?:from|import)\s+novikoff\.([\w.]+)(?:\s+import\s+(\([^)]*\)|[^\n]*))?", re.MULTILINE
)
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def sources_of_compiled_code(package: Path = PACKAGE) -> dict[Path, bytes]:
    """The files that compile loops, and all files of the package that they import."""
    texts = {path: path.read_bytes() for path in package.rglob("*.py")}
    waiting = [path for path, text in texts.items() if b"novikoff.core.compiled" in text]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        for module, names in IMPORT.findall(texts[path]):
            home = package.joinpath(*module.decode().split("."))
            inside = [home / f"{name}.py" for name in re.findall(r"\w+", names.decode())]
            waiting += [p for p in (home.with_suffix(".py"), *inside) if p in texts]
    return {path: texts[path] for path in sorted(found)}


@cache
def source_stamp() -> str:
    """One hash of everything that compiled code is made from."""
    fixed = os.environ.get("NOVIKOFF_STAMP")
    if fixed:
        return fixed
    stamp = hashlib.sha256()
    for path, text in sources_of_compiled_code().items():
        stamp.update(f"{path.relative_to(PACKAGE).as_posix()} {len(text)}\n".encode() + text)
    return stamp.hexdigest()[:16]


def keep_machine_code(dispatcher: Any) -> None:
    """Let a compiled function look for its code on disk first, and leave it there.

    Where nothing can be written (no home, a package that is read-only) every process compiles anew.
    """
    try:
        dispatcher._cache = _Cache(dispatcher.py_func)
    except RuntimeError:
        return


def mark_of_completeness() -> Path | None:
    """The file that says, when it is there, that `novikoff warm-up` has compiled everything."""
    try:
        kept = _Cache(keep_machine_code)
    except RuntimeError:
        return None
    return Path(str(kept.cache_path)) / kept.files.name_of("everything")


class _Cache(FunctionCache):
    """Numba's cache of a function, in files of our own."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        self.files = _Files(self._cache_path, self._impl.filename_base, source_stamp())
        self._cache_file = self.files

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for one signature, or None.

        Numba would first load its whole library of functions, a fifth of a second; code that is
        compiled needs the reference counts of arrays only.
        """
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


class _Files(IndexDataCacheFile):
    """The files of one function: the name of each says the sources and the signature."""

    def save(self, key: Any, data: Any) -> None:
        """Write the code for one signature; the first time, drop what other sources left."""
        _drop_stale(self._cache_path)
        self._save_data(self.name_of(key), (key, data))

    def load(self, key: Any) -> Any:
        """The code for one signature, or None."""
        try:
            kept, data = self._load_data(self.name_of(key))
        except (OSError, EOFError):
            return None
        return data if kept == key else None

    def flush(self) -> None:
        """Forget everything."""
        for path in Path(self._cache_path).glob("*.nbc"):
            path.unlink(missing_ok=True)

    def name_of(self, key: Any) -> str:
        """The name of the file for one signature."""
        text = ADDRESS.sub("", repr((numba.__version__, key)))
        signature = hashlib.sha256(text.encode()).hexdigest()[:16]
        base = self._index_name.removesuffix(".nbi")
        return f"{base}.{self._source_stamp}.{signature}.nbc"


@cache
def _drop_stale(folder: str) -> None:
    for path in Path(folder).glob("*.nb[ci]"):
        if f".{source_stamp()}." not in path.name:
            path.unlink(missing_ok=True)
