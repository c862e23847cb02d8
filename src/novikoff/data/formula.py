"""Formulas for the statistician, `HG ~ NV + PI + C(EH)`, through formulaic.

A formula can compute, and what it computes is Python: use only those you trust. From Python all
of it may be used. The command line takes what `refuse_unsafe` lets through: columns, numbers,
arithmetic and named functions. A saved model may hold less still: only columns, `C(column)` and a
few functions of a column.
"""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.core import sparse as sp
from novikoff.data.source import Source, list_names
from novikoff.errors import DataError, LimitError, MissingDependencyError, OptionError

CATEGORIES = re.compile(r"C\((.+)\)")
FUNCTION = re.compile(r"(?:C|log|log2|log10|exp|sqrt)\((.+)\)")
MOST_TERMS = 10_000

# What a formula may call on the command line, and with which other values than a column's.
CODINGS = {"Treatment", "Sum", "Helmert", "Diff", "Poly"}
SPLINES = {"bs", "cc", "cr", "cs", "poly", "center", "scale", "standardize"}
ELEMENTWISE = {"I", "log", "log2", "log10", "exp", "sqrt"}
ARITHMETIC = (
    ast.Expression, ast.Name, ast.Load, ast.Constant, ast.Call, ast.keyword, ast.UnaryOp, ast.UAdd,
    ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow,
)  # fmt: skip
MOST_POWER, MOST_NUMBER = 100, 1000
LEVEL = re.compile(r"[\w .,:;+/%()-]*")  # of Treatment: no quotes, which formulaic would not escape
MARKS = re.compile(r"\x1b\[[0-9;]*m|⧛|⧚")  # how formulaic points at a mistake


@dataclass(frozen=True)
class Parsed:
    """A formula's two sides: the label's column, and the columns its right side uses."""

    label: str | None
    variables: tuple[str, ...]


@dataclass(frozen=True)
class FixedEffect:
    """A term right of the |: the columns whose values together are its levels, and its slopes.

    `levels` says whether the levels have effects of their own, beside the slopes.
    """

    title: str
    columns: tuple[str, ...]
    slopes: tuple[str, ...] = ()
    levels: bool = True


NAME = r"(?:`[^`]+`|[^\W\d][\w.]*)"
FIXED = re.compile(rf"({NAME}(?:\^{NAME})*)(?:(\[\[?)({NAME}(?:,{NAME})*)(\]\]?))?")
QUOTED = re.compile(r"`[^`]*`|'[^']*'|\"[^\"]*\"")
UNQUOTED = r"(?=[^`]*(?:`[^`]*`[^`]*)*$)"  # what an even number of backticks follow
# What formulas of R say of an outcome, and how it is said here.
ELSEWHERE = {
    "Surv": "name the columns with time= and event= (--time, --event), and the model 'cox'",
    "cbind": "name the successes left of the ~, and the trials with trials= (--trials)",
    "offset": "name the column with offset= (--offset)",
    "i": "slopes of x for each firm are y ~ z | firm[[x]]",
}


def split_fixed(formula: str) -> tuple[str, tuple[FixedEffect, ...]]:
    """The formula without what stands right of its |, and the fixed effects that stand there."""
    bare = QUOTED.sub(lambda quoted: " " * len(quoted[0]), formula)
    bars = [k for k, letter in enumerate(bare) if letter == "|"]
    if not bars:
        return formula, ()
    if len(bars) > 1 or "~" not in bare[: bars[0]]:
        raise OptionError(
            f"formula {formula!r}: one | after the columns, as in y ~ x | firm + year; "
            "instruments are not supported."
        )
    plain, fixed = formula[: bars[0]].rstrip(), formula[bars[0] + 1 :]
    terms = re.split(rf"\+{UNQUOTED}", re.sub(rf"\s+{UNQUOTED}", "", fixed))
    return plain if plain[-1:] != "~" else f"{plain} 1", tuple(_fixed(formula, t) for t in terms)


def _fixed(formula: str, term: str) -> FixedEffect:
    found = FIXED.fullmatch(term)
    if found is None or len(found[2] or "") != len(found[4] or ""):
        raise OptionError(
            f"formula {formula!r}: {term!r} is not a fixed effect. Write firm, firm^year for both "
            "together, firm[x] for slopes of x as well, or firm[[x]] for slopes alone."
        )
    names = tuple(name.strip("`") for name in re.findall(NAME, found[1]))
    slopes = tuple(name.strip("`") for name in re.findall(NAME, found[3] or ""))
    return FixedEffect("^".join(names), names, slopes, found[2] != "[[")


def _refuse_elsewhere(formula: str) -> None:
    """Raise `OptionError` for what belongs in an option here."""
    bare = QUOTED.sub("", formula)
    if "#" in bare:
        raise OptionError(
            f"formula {formula!r}: # is not supported: write i.firm##c.x as y ~ z | firm[x]."
        )
    for name, instead in ELSEWHERE.items():
        if re.search(rf"\b{name}\s*\(", bare):
            raise OptionError(f"formula {formula!r}: {name}() is not read: {instead}.")
    if "|" in bare:
        raise OptionError(
            f"formula {formula!r}: fixed effects after | are for regressions "
            "(novikoff.detect_separation, novikoff diagnose)."
        )


def _formulaic() -> Any:
    try:
        import formulaic
    except ImportError as error:
        raise MissingDependencyError(
            "a formula needs the package formulaic: pip install 'novikoff[formula]'."
        ) from error
    return formulaic


def _wrong(formula: str, error: Exception) -> OptionError:
    if "`.` operator" in str(error):
        return OptionError(f"formula {formula!r}: name the columns; a dot is not supported.")
    if isinstance(error, MemoryError):
        raise error
    if isinstance(error, (LookupError, AttributeError, RecursionError)):
        return OptionError(f"formula {formula!r}: it cannot be read as LABEL ~ COLUMNS.")
    reason = next(iter(MARKS.sub("", str(error)).strip().splitlines()), type(error).__name__)
    return OptionError(f"formula {formula!r}: {reason}")


def _refuse_large(formula: str) -> None:
    """Raise `LimitError` for what would have too many terms, before anybody writes them down."""
    from formulaic.parser import DefaultFormulaParser

    try:
        tree = DefaultFormulaParser().get_ast(formula)
    except Exception as error:  # as above
        raise _wrong(formula, error) from error
    terms = _terms_at_most(tree)
    if terms > MOST_TERMS:
        raise LimitError(
            f"formula {formula!r}: {_about(terms)} terms, of which {MOST_TERMS} are allowed: "
            "lower the power, or name the products that you need."
        )


def _terms_at_most(node: Any) -> int:
    """How many terms the parser multiplies out, some of them more than once."""
    if not hasattr(node, "operator"):
        return 1
    parts = [_terms_at_most(part) for part in node.args]
    symbol = str(node.operator.symbol)
    if symbol in ("**", "^") and len(parts) == 2:
        power = str(getattr(node.args[1], "token", ""))
        return parts[0] ** min(int(power), 1000) if power.isdecimal() else parts[0]
    if symbol in ("*", "/", ":", "in", "%in%") and len(parts) == 2:
        return parts[0] * parts[1] + (0 if symbol == ":" else sum(parts))
    return sum(parts)


def _about(count: int) -> str:
    return str(count) if count < 10**15 else f"about 10^{len(str(count)) - 1}"


def _sides(formula: str) -> tuple[Any, Any]:
    """What is left and what is right of the ~, read without evaluating anything."""
    formulaic = _formulaic()
    _refuse_elsewhere(formula)
    _refuse_large(formula)
    try:
        parsed = formulaic.Formula(formula)
    except Exception as error:  # whatever the parser makes of what a person types
        raise _wrong(formula, error) from error
    if isinstance(parsed, formulaic.SimpleFormula):
        return (), parsed
    if isinstance(parsed.rhs, tuple):
        raise OptionError(f"formula {formula!r}: it is not of the form LABEL ~ COLUMNS.")
    return parsed.lhs, parsed.rhs


def parse(formula: str) -> Parsed:
    """The columns that a formula speaks of."""
    label, right = _sides(formula)
    left = [str(term).strip("`") for term in label]
    if len(left) > 1:
        raise OptionError(f"formula {formula!r}: one column left of the ~, not {len(left)}.")
    variables = _variables(right)
    refuse_outcome(formula, set(left) & variables)
    return Parsed(left[0] if left else None, tuple(sorted(variables)))


def refuse_outcome(formula: str, both: set[str]) -> None:
    """Raise `OptionError` if an outcome is to be explained by itself: that always separates."""
    if both:
        raise OptionError(
            f"formula {formula!r}: {min(both)!r} is the outcome, and right of the ~ as well: "
            "leave it out there."
        )


def _variables(right: Any) -> set[str]:
    """The columns that are named right of the ~.

    formulaic finds none in a function of a whole column, as center(x): it would call it first.
    """
    factors = {factor for term in right for factor in term.factors}
    silent = (factor.expr for factor in factors if not factor.required_variables)
    return set(right.required_variables).union(*map(_names_in, silent))


def _names_in(code: str) -> set[str]:
    from formulaic.transforms import TRANSFORMS
    from formulaic.utils.code import sanitize_variable_names

    aliases: dict[str, str] = {}  # of `names in backticks`
    try:
        tree = ast.parse(sanitize_variable_names(code, {}, aliases), mode="eval")
    except SyntaxError:
        return set()
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return {aliases.get(name, name) for name in names if name not in TRANSFORMS}


def _is_column(factor: str, variables: tuple[str, ...], function: re.Pattern[str]) -> bool:
    """Whether a factor is a column, or a known function of one."""
    called = function.fullmatch(factor)
    return (called[1] if called else factor).strip("`") in variables


def _terms(formula: str) -> list[list[str]]:
    _, right = _sides(formula)
    return [[str(factor) for factor in term.factors] for term in right if str(term) != "1"]


def computes(formula: str) -> bool:
    """Whether any column of the design is more than a column of the file, or its coding."""
    variables = parse(formula).variables
    return any(
        len(term) > 1 or not _is_column(term[0], variables, CATEGORIES) for term in _terms(formula)
    )


def refuse_code(formula: str) -> None:
    """Raise `OptionError` if the formula does more than name columns and well-known functions."""
    for factor in _computed(formula):
        raise OptionError(
            f"formula {formula!r}: {factor} would have to be computed by code, and a model file "
            "holds none: add it to the data as a column."
        )


def _computed(formula: str) -> list[str]:
    """The factors that are neither columns nor well-known functions of one."""
    variables = parse(formula).variables
    factors = [factor for term in _terms(formula) for factor in term]
    return [factor for factor in factors if not _is_column(factor, variables, FUNCTION)]


def refuse_unsafe(formula: str) -> None:
    """Raise `OptionError` if a formula does more than a stranger's may.

    It may name columns and numbers, combine them by arithmetic, and call `C`, `I`, `log`, `exp`,
    `sqrt`, splines and polynomials. It has no attributes, no subscripts, no other calls, and no
    texts but the level that is the reference.
    """
    _, right = _sides(split_fixed(formula)[0])
    for term in right:
        for factor in term.factors:
            if factor.eval_method.value != "lookup" and not _is_safe(factor.expr):
                raise OptionError(
                    f"formula {formula!r}: {factor.expr} is Python code, which no formula on the "
                    "command line may hold: it names columns and numbers, and may use + - * / **, "
                    "C, I, log, exp, sqrt, bs and poly. Add it to the data as a column, or pass "
                    "the formula from Python."
                )


def _is_safe(code: str) -> bool:
    """Whether an expression is arithmetic on columns, numbers and functions that do no harm."""
    from formulaic.utils.code import sanitize_variable_names

    try:
        tree = ast.parse(sanitize_variable_names(code, {}, {}), mode="eval")
    except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError):
        return False
    texts: set[ast.AST] = set()
    for node in ast.walk(tree):  # what calls comes before what is called
        if not isinstance(node, ARITHMETIC):
            return False
        if isinstance(node, ast.Name) and node.id.startswith("__"):
            return False
        if isinstance(node, ast.Call):
            if not _is_safe_call(node):
                return False
            texts.update(_more_values(node))
        if isinstance(node, ast.Constant) and not _is_safe_value(node, node in texts):
            return False
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _is_low(node):
            return False
    return True


def _is_safe_call(call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Name) or any(
        word.arg is None or word.arg.startswith("_") for word in call.keywords
    ):
        return False
    name, more = call.func.id, _more_values(call)
    if name in ELEMENTWISE:
        return len(call.args) == 1 and not call.keywords
    if name == "C":
        return all(
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Name)
            and value.func.id in CODINGS
            for value in more
        )
    return name in SPLINES | CODINGS and all(isinstance(value, ast.Constant) for value in more)


def _more_values(call: ast.Call) -> list[ast.expr]:
    """What a call is given besides the column that it is of."""
    coding = isinstance(call.func, ast.Name) and call.func.id in CODINGS
    return [*call.args[0 if coding else 1 :], *(word.value for word in call.keywords)]


def _is_safe_value(node: ast.Constant, setting: bool) -> bool:
    """Whether a constant is a number; a `setting` of a function is a small one, or a level."""
    value = node.value
    if isinstance(value, str):
        return setting and LEVEL.fullmatch(value) is not None
    return isinstance(value, int | float) and (not setting or abs(value) <= MOST_NUMBER)


def _is_low(power: ast.BinOp) -> bool:
    """Whether the exponent is a small number, and the base no power of a power."""
    exponent = power.right.operand if isinstance(power.right, ast.UnaryOp) else power.right
    if not isinstance(exponent, ast.Constant) or not isinstance(exponent.value, int | float):
        return False
    inner = [node for node in ast.walk(power.left) if isinstance(node, ast.Pow)]
    return abs(exponent.value) <= MOST_POWER and len(inner) < 2


def refuse_whole(formula: str) -> None:
    """Raise `OptionError` if a column of the design may depend on more than its own row."""
    for factor in _computed(formula):
        raise OptionError(
            f"formula {formula!r}: {factor} may need all rows at once (as center(x) does), and a "
            "scan reads some at a time: add it to the data as a column, or read the file whole "
            "(novikoff.read)."
        )


def coded_columns(formula: str) -> set[str]:
    """The columns that a formula calls categories, as in `C(EH)`."""
    called = (CATEGORIES.fullmatch(factor) for term in _terms(formula) for factor in term)
    return {match[1].strip("`") for match in called if match} & set(parse(formula).variables)


def design(
    formula: str,
    source: Source,
    levels: Mapping[str, tuple[Any, ...]],
    *,
    many: int | None = None,
) -> tuple[Any, tuple[str, ...], bool]:
    """The design matrix without its constant column, its names, and whether there was one.

    A dense array; or a sparse one, if its categories have more than `many` values.
    """
    _formulaic()
    import pandas as pd

    _, right = _sides(formula)
    frame = source.table.select(sorted(_variables(right))).to_pandas()
    numbers = {name: values for name, values in levels.items() if frame[name].dtype.kind in "biuf"}
    for name, values in levels.items():
        if name not in numbers:
            frame[name] = pd.Categorical(frame[name], categories=list(values))
    frame, extra = _with_all_values(frame, numbers, source)
    sparse = many is not None and sum(c.nunique() for c in _categories(right, frame)) > many
    output = "sparse" if sparse else "pandas"
    try:
        model = right.get_model_matrix(frame, na_action="raise", output=output)
    except Exception as error:  # a formula computes, and what it computes can fail in any way
        raise _wrong(formula, error) from error
    if sparse:
        return _sparse(model, extra)
    intercept = "Intercept" in model.columns
    model = model.iloc[extra:]
    if intercept:
        model = model.drop(columns="Intercept")
    return (
        np.ascontiguousarray(model.to_numpy(dtype=np.float64)),
        tuple(str(name) for name in model.columns),
        intercept,
    )


def _categories(right: Any, frame: Any) -> list[Any]:
    """The columns that a formula codes as categories."""
    coded = {
        called[1].strip("`")
        for term in right
        for factor in term.factors
        if (called := CATEGORIES.fullmatch(str(factor)))
    }
    return [
        frame[name]
        for name in frame.columns
        if name in coded or frame[name].dtype.kind not in "biuf"
    ]


def _with_all_values(
    frame: Any, levels: Mapping[str, tuple[Any, ...]], source: Source
) -> tuple[Any, int]:
    """The frame below some rows in which every value of these columns occurs, and how many.

    `C(EH)` of numbers has a column for each value that it sees: so it sees all of them.
    """
    import pandas as pd

    extra = max(map(len, levels.values()), default=0)
    if extra == 0:
        return frame, 0
    above = frame.iloc[[0] * extra].copy()
    for name, values in levels.items():
        strange = ~frame[name].isin(values)
        if strange.any():
            row = int(np.argmax(strange.to_numpy()))
            known = list_names([str(value) for value in values])
            raise DataError(
                f"{source.name}: column {name!r} has the value {frame[name].iloc[row]} at "
                f"{source.place(row)}, which is none of {known}."
            )
        above[name] = np.resize(np.array(values, dtype=frame[name].dtype), extra)
    return pd.concat([above, frame], ignore_index=True), extra


def _sparse(model: Any, extra: int) -> tuple[Any, tuple[str, ...], bool]:
    """A sparse model matrix of formulaic as CSR, without its constant and its first rows."""
    names = [str(name) for name in model.model_spec.column_names]
    intercept = "Intercept" in names
    kept = [j for j, name in enumerate(names) if name != "Intercept"]
    X = sp.csr_array(model.__wrapped__[:, kept])[extra:]
    return X, tuple(names[j] for j in kept), intercept
