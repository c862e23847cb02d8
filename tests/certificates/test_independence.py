"""The verifier calls loops of the core that are named here, and none of the prover's headers."""

import ast
import re
from importlib.util import find_spec
from pathlib import Path

import novikoff

PACKAGE = Path(novikoff.__file__).parent
CORE = Path(__file__).parents[2] / "core"
# Signs are the verifier's own; the others are shared, and `pyproject.toml` says why that is safe.
OWN = {"cone_tree_bound", "rank_below", "sure_signs"}
SHARED = {
    "column_ranges", "count_places", "csr_is_sound", "eliminate_columns", "entry_residues",
    "reduce_block", "score_residues", "sha256_update", "sparse_echelon", "sum_of_rows",
}  # fmt: skip
PROVER = {"accumulator.hpp", "cones.hpp", "scores.hpp", "signs.hpp"}


def imported_by(name):
    """The modules of the package that are loaded with one, itself among them."""
    found, waiting = set(), [name]
    while waiting:
        name = waiting.pop()
        if name in found or not name.startswith("novikoff.") or name == "novikoff._core":
            continue
        try:
            spec = find_spec(name)
        except ModuleNotFoundError:
            continue
        if spec is None or spec.origin is None:
            continue
        found.add(name)
        for node in run(ast.parse(Path(spec.origin).read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                waiting += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


def run(tree):
    """The nodes of a tree, without those that only type checkers read."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if not (isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"):
            yield node
            waiting += ast.iter_child_nodes(node)


def called_by(name):
    """The functions of the core that a module names."""
    tree = ast.parse(Path(find_spec(name).origin).read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "novikoff._core":
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) == "_core":
            yield node.attr


def test_the_verifier_calls_what_is_named_here():
    modules = imported_by("novikoff.certificates.verify")
    assert "novikoff.exact.score_signs" in modules
    called = {function for name in modules for function in called_by(name)}
    assert called == OWN | SHARED


def headers_of(name):
    """A header, and those that it includes."""
    found, waiting = set(), [name]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += re.findall(r'#include "(.*)"', (CORE / name).read_text("utf-8"))
    return found


def test_its_headers_include_none_of_the_provers():
    for name in ("verifier_signs.hpp", "residues.hpp", "elimination.hpp", "decimals.hpp"):
        assert not headers_of(name) & PROVER, name


def test_its_own_rank_does_not_include_the_elimination_that_proposes():
    assert "elimination.hpp" not in headers_of("verifier_span.hpp")
    assert "elimination.hpp" not in headers_of("verifier_signs.hpp")
