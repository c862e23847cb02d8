"""Mutation testing: python -m tests.mutants FILE[,FILE…] TESTS…, as `make mutants` runs it.

A mutant is one small change in a function: an operator, a number, a condition, a line left out. It
is made in a process of its own, where the tests that reach the line run, the quickest first, until
one fails. What no test notices is printed. It must change no answer: a shortcut, an order, the size
of a block.
"""

import ast
import os
import pickle
import resource
import sys
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from importlib import import_module
from pathlib import Path
from types import CodeType

import coverage
import pytest
from hypothesis import Phase, settings

Change = Callable[[ast.AST], None]
COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
COMPUTED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult, ast.Mod: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.Pow: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.MatMult: ast.Sub,
}  # fmt: skip
NAMES = {"all": "any", "any": "all", "min": "max", "max": "min"}
LEFT_OUT = (ast.Raise, ast.AugAssign, ast.Continue, ast.Break, ast.Expr)
EXAMPLES = 40  # random ones of a test
MOST = 60  # seconds of tests for a mutant


def setting(field: str, value: object) -> Change:
    """A change of one field of a node."""
    return lambda node: setattr(node, field, value)


def changes(node: ast.AST) -> Iterator[Change]:
    """All that may be changed of a node."""
    match node:
        case ast.Compare(ops=ops):
            for k, op in enumerate(ops):
                yield setting("ops", [*ops[:k], COMPARED[type(op)](), *ops[k + 1 :]])
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in COMPUTED:
            yield setting("op", COMPUTED[type(op)]())
        case ast.BoolOp(op=op):
            yield setting("op", ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.If() | ast.IfExp():
            yield from (setting("test", ast.Constant(value)) for value in (True, False))
        case ast.UnaryOp(op=ast.USub()):
            yield setting("op", ast.UAdd())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield setting("operand", ast.UnaryOp(ast.Not(), operand))
        case ast.Constant(value=bool(value)):
            yield setting("value", not value)
        case ast.Constant(value=int(value) | float(value)):
            near = (value + 1, value - 1) if abs(value) < 3 else (2 * value + 1,)
            yield from (setting("value", changed) for changed in near)
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield setting("value", ast.Constant(None))
        case ast.comprehension(ifs=[_, *_]):
            yield setting("ifs", [])
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield setting("id", NAMES[name])
    for field in ("body", "orelse"):
        lines = getattr(node, field, None)
        for k, line in enumerate(lines if isinstance(lines, list) else ()):
            is_text = isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
            if isinstance(line, LEFT_OUT) and not is_text:
                yield setting(field, [*lines[:k], ast.Pass(), *lines[k + 1 :]])


def says_nothing(function: ast.AST) -> set[int]:
    """The nodes of types, of `assert` and of messages: a change of them is none of an answer."""
    found: set[int] = set()
    for node in ast.walk(function):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.FunctionDef):
            parts = [node.args, node.returns, *node.decorator_list]
        elif isinstance(node, ast.AnnAssign):
            parts = [node.annotation]
        elif isinstance(node, ast.Assert | ast.JoinedStr):
            parts = [node]
        found |= {id(inner) for part in parts if part is not None for inner in ast.walk(part)}
    return found


def functions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions of a file and the methods of its classes, by their names."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from functions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node


def mutants(source: str) -> Iterator[tuple[str, int, str, ast.Module]]:
    """The function, the line, what is changed to what, and the file with that change."""
    tree = ast.parse(source)
    number = {id(node): k for k, node in enumerate(ast.walk(tree))}
    for name, function in functions(tree.body):
        silent = says_nothing(function)
        for node in ast.walk(function):
            for change in () if id(node) in silent else changes(node):
                mutant = deepcopy(tree)
                changed = list(ast.walk(mutant))[number[id(node)]]
                change(changed)
                ast.fix_missing_locations(mutant)
                line = getattr(node, "lineno", function.lineno)
                before, after = ast.unparse(node), ast.unparse(changed)
                rows = zip(before.split("\n"), after.split("\n"), strict=False)
                told = next((" -> ".join(row) for row in rows if row[0] != row[1]), before)
                yield name, line, told, mutant


def code_of(module: ast.Module, path: str, name: str) -> CodeType:
    """The compiled code of a function of a file."""
    code = compile(module, path, "exec")
    for part in name.split("."):
        inside = (inner for inner in code.co_consts if isinstance(inner, CodeType))
        code = next(inner for inner in inside if inner.co_name == part)
    return code


class Mutation:
    """A plugin of pytest that runs the tests that were collected on each mutant."""

    def __init__(self, files: list[str]) -> None:
        self.files, self.has_failed = files, False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hear how a test went."""
        self.has_failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Take the place of the run."""
        for item in session.items:
            test = getattr(getattr(item, "obj", None), "__func__", getattr(item, "obj", None))
            if getattr(test, "is_hypothesis_test", False):
                own = getattr(test, "_hypothesis_internal_use_settings", None) or settings()
                few = min(own.max_examples, EXAMPLES)
                phases = [Phase.explicit, Phase.generate]
                test._hypothesis_internal_use_settings = settings(
                    own, max_examples=few, phases=phases, database=None
                )
        reached, took = self._in_a_process(lambda: self._reached(session.items), 3600)[1]
        for path in self.files:
            of_file, survivors = list(mutants(Path(path).read_text("utf-8"))), 0
            module = import_module(".".join(Path(path).with_suffix("").parts).partition("src.")[2])
            for name, line, told, mutant in of_file:
                tests = sorted(reached.get(path, {}).get(line, ()), key=lambda k: took[k])
                chosen, seconds = [], 0.0
                for k in tests:
                    seconds += took[k]
                    if seconds < MOST:
                        chosen.append(session.items[k])
                if not self._is_noticed(chosen, seconds, module, name, code_of(mutant, path, name)):
                    survivors += 1
                    print(f"{path}:{line} {name}: {told} ({len(chosen)} tests)", flush=True)
            print(f"{path}: {survivors} of {len(of_file)} mutants survived", flush=True)
        return True

    def _reached(
        self, items: list[pytest.Item]
    ) -> tuple[dict[str, dict[int, list[int]]], list[float]]:
        """The tests that reach each line, and the seconds that each takes."""
        traced = coverage.Coverage(data_file=None, include=self.files, config_file=False)
        traced.start()
        took = []
        for k, item in enumerate(items):
            traced.switch_context(str(k))
            begin = time.process_time()
            self._run(item)
            took.append(time.process_time() - begin)
        traced.stop()
        assert not self.has_failed, "the tests fail without any mutant"
        data = traced.get_data()
        return {
            path: {
                line: [int(test) for test in tests if test]
                for line, tests in data.contexts_by_lineno(os.path.abspath(path)).items()
            }
            for path in self.files
        }, took

    def _run(self, item: pytest.Item) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def _is_noticed(
        self, tests: list[pytest.Item], seconds: float, module: object, name: str, code: CodeType
    ) -> bool:
        """Whether a test fails, or has no end, where the function has this code."""

        def fails() -> bool:
            function = module
            for part in name.split("."):
                function = vars(function)[part]
            function = getattr(function, "fget", None) or getattr(function, "__func__", function)
            getattr(function, "__wrapped__", function).__code__ = code
            for item in tests:
                self._run(item)
                if self.has_failed:
                    return True
            return False

        ended, answer = self._in_a_process(fails, int(3 * seconds) + 5)
        return not ended or answer

    def _in_a_process(self, work: Callable[[], object], limit: int):
        """Whether work ended within seconds of the processor, and its answer."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            most = int(time.process_time()) + limit
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))
            with os.fdopen(writing, "wb") as file:
                file.write(pickle.dumps(work()))
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as file:
            said = file.read()
        _, status = os.waitpid(child, 0)
        return status == 0, pickle.loads(said) if status == 0 else None


if __name__ == "__main__":
    options = [
        "-q",
        "-s",
        "-W",
        "ignore",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        *sys.argv[2:],
    ]
    sys.exit(pytest.main(options, plugins=[Mutation(sys.argv[1].split(","))]))
