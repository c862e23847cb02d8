"""The page of error messages, made of the sources, so that a search of the site finds them."""

import ast
from collections import defaultdict
from pathlib import Path

from novikoff import errors

START = """# Error messages

Here you can look up a message that novikoff printed. Each says what is wrong and what to do; the
heading is the class of the error in Python. `…` stands for what differs: a name, a row, a number.
"""


def page(package: Path) -> str:
    """Return the page in Markdown: under the name of each error what it may say."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                text = words(node.args[0])
                if node.func.id in errors.__all__ and any(map(str.isalpha, text)):
                    found[node.func.id].add(text)
    parts = [START]
    for name in sorted(found):
        meaning = (getattr(errors, name).__doc__ or "").partition("\n")[0]
        parts += [f"## {name}\n\n{meaning}\n"]
        parts += [f"```text\n{text}\n```\n" for text in sorted(found[name])]
    return "\n".join(parts)


def words(node: ast.expr) -> str:
    """Return the words of an expression of text, with … for all that is computed."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(words(part) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return words(left) + words(right)
    return "…"
