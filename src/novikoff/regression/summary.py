"""Tables of coefficients as text, HTML and LaTeX."""

from dataclasses import dataclass
from html import escape
from math import isinf, isnan

LATEX = {
    "[": "{[}", "*": "{*}",  # after a line's end they would be arguments of it
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$",
    "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "∞": r"$\infty$", "−": "$-$", "·": r"$\cdot$", "|": r"$|$", "<": "$<$", ">": "$>$",
}  # fmt: skip


def shown(value: float) -> str:
    """A number as tables show it; nothing for NaN."""
    if isnan(value):
        return ""
    if isinf(value):
        return "+∞" if value > 0 else "−∞"
    return f"{value:.5g}"


@dataclass(frozen=True)
class CoefficientTable:
    """A row for each coefficient: `rows` have its name and a text for each of the columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def as_text(self) -> str:
        """The table in characters."""
        lines = [("", *self.columns), *self.rows]
        widths = [max(len(line[j]) for line in lines) for j in range(len(self.columns) + 1)]
        body = [
            "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip()
            for line in lines
        ]
        return "\n".join([self.title, *body, *self.notes])

    def as_html(self) -> str:
        """The table for a page."""
        head = "".join(f"<th>{escape(name)}</th>" for name in ("", *self.columns))
        rows = ("</td><td>".join(map(escape, row)) for row in self.rows)
        body = "".join(f"<tr><td>{row}</td></tr>" for row in rows)
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        title = f"<caption>{escape(self.title)}</caption>"
        return f"<table>{title}<tr>{head}</tr>{body}</table>{notes}"

    def as_latex(self) -> str:
        """The table for LaTeX; it needs no package."""
        minus = str.maketrans({"-": "−"})  # of numbers; a hyphen in a name stays one
        cells = [(name, *(text.translate(minus) for text in row)) for name, *row in self.rows]
        rows = [" & ".join(map(_tex, row)) for row in (("", *self.columns), *cells)]
        lines = [
            rf"\begin{{tabular}}{{l{'r' * len(self.columns)}}}",
            r"\hline",
            rf"{rows[0]} \\",
            r"\hline",
            *(rf"{row} \\" for row in rows[1:]),
            r"\hline",
            r"\end{tabular}",
        ]
        notes = [rf"\par {_tex(note)}" for note in self.notes]
        return "\n".join([rf"\noindent {_tex(self.title)}\par", *lines, *notes])

    def __str__(self) -> str:
        return self.as_text()

    def _repr_html_(self) -> str:
        return self.as_html()

    def _repr_latex_(self) -> str:
        return self.as_latex()


def _tex(text: str) -> str:
    return "".join(LATEX.get(character, character) for character in text)
