import io
from dataclasses import replace
from fractions import Fraction

import numpy as np
import scipy.sparse as sp
from rich.console import Console
from tests.figures.verdicts import overlapping, separable, touching, undecided

from novikoff.matrix.problem import Problem
from novikoff.regression.explain import Coefficient, Explanation
from novikoff.report import rich_table
from novikoff.report.evidence import (
    MOST_COLUMNS,
    MOST_ROWS,
    coefficients_table,
    columns_table,
    numbers_table,
    rows_table,
    verdict_sentence,
)
from novikoff.report.tables import TextTable, is_number


def test_each_verdict_is_a_sentence() -> None:
    assert verdict_sentence(separable()) == (
        "A hyperplane separates “ill” and “well” completely: all 6 rows lie strictly on their own "
        "side of it (complete separation)."
    )
    assert "2 of the 4 rows lie on it (quasi-complete separation)" in verdict_sentence(touching())
    assert "not even touching" in verdict_sentence(overlapping())
    assert "not decided: the limit of 3" in verdict_sentence(undecided())


def test_without_an_intercept_the_sentence_says_so() -> None:
    problem = Problem.of(np.eye(2), [0, 1], fit_intercept=False)
    assert "hyperplane through the origin" in verdict_sentence(separable(problem=problem))


def test_the_proven_numbers_have_two_bounds() -> None:
    table = numbers_table(separable())
    assert table is not None
    assert [row[:3] for row in table.rows] == [
        ("geometric margin", "1.414213562", "1.414213563"),
        ("augmented margin γ", "0.2461829818", "0.246182982"),
        ("radius R", "9.94987437", "9.949874372"),
        ("mistake bound R²/γ²", "1633.4999", "1633.5001"),
    ]
    assert numbers_table(overlapping()) is None


def test_the_exact_margin_is_shown_where_it_was_asked_for() -> None:
    known = replace(separable().known, margin_squared=Fraction(2))
    table = numbers_table(separable(known=known))
    assert table is not None
    assert table.rows[-1][:2] == ("geometric margin, squared", "2")


def test_the_heaviest_column_comes_first() -> None:
    table = columns_table(separable(weights=np.array([0.25, -2.0])))
    assert table is not None
    assert table.rows[0] == ("age", "−2", "against “well”")
    assert table.rows[1] == ("dose", "0.25", "for “well”")
    assert table.rows[2][0] == "(intercept)"
    assert columns_table(overlapping()) is None


def test_columns_without_weight_are_not_responsible() -> None:
    table = columns_table(separable(weights=np.array([0.0, 1.0])))
    assert table is not None
    assert [row[0] for row in table.rows] == ["age", "(intercept)"]


def test_many_columns_are_counted() -> None:
    d = MOST_COLUMNS + 7
    problem = Problem.of(np.eye(d), np.arange(d) % 2)
    table = columns_table(separable(problem=problem, weights=np.ones(d)))
    assert table is not None
    assert table.remark == "and 7 more"


def test_coefficients_that_run_away_come_first() -> None:
    table = coefficients_table(touching().explain())
    assert table is not None
    assert table.rows == [("dose", "+∞"), ("(intercept)", "finite")]
    table = coefficients_table(
        Explanation(
            separation="quasi-complete",
            n=3,
            coefficients=tuple(
                Coefficient(f"{name}{k}", fate, 1.0)
                for k in range(MOST_COLUMNS)
                for name, fate in (("a", "finite"), ("b", "−∞"))
            ),
            cone_dimension=1,
            idle_dimension=0,
            rows_on_plane=(),
            single_columns=(),
            advice=(),
        )
    )
    assert table is not None
    assert table.rows == [(f"b{k}", "−∞") for k in range(MOST_COLUMNS)]
    assert table.left_out == MOST_COLUMNS


def test_no_column_is_responsible_where_all_coefficients_are_finite() -> None:
    assert coefficients_table(overlapping().explain()) is None
    assert coefficients_table(None) is None


def test_the_rows_of_a_proof_have_their_labels_and_values() -> None:
    table = rows_table(overlapping(alpha=(Fraction(1, 2),) * 4))
    assert table is not None
    assert table.header == ("row", "class", "α", "x0", "x1")
    assert table.rows[1] == ("1", "1", "1/2", "0", "1")
    table = rows_table(separable())
    assert table is not None
    assert table.header == ("row", "class", "dose", "age")
    assert table.rows[2] == ("3", "well", "4", "6")
    assert rows_table(undecided()) is None


def test_dropped_rows_do_not_hide_where_a_row_came_from() -> None:
    verdict = touching()
    problem = replace(verdict.problem, row_numbers=np.array([0, 5, 9, 12]))
    table = rows_table(replace(verdict, problem=problem))
    assert table is not None
    assert table.header[:2] == ("row", "class")
    assert [row[0] for row in table.rows] == ["5", "9"]


def test_alpha_in_floating_point_is_marked_as_such() -> None:
    table = rows_table(overlapping(alpha=None, alpha_float=np.full(4, 0.5)))
    assert table is not None
    assert table.rows[0][2] == "≈ 0.5"


def test_many_rows_are_counted_and_sparse_ones_read() -> None:
    n = MOST_ROWS + 3
    X = sp.eye(n, 9, format="csr")
    problem = Problem.of(X, np.arange(n) % 2)
    verdict = overlapping(
        problem=problem, rows=np.arange(n), alpha=(Fraction(1),) * n, alpha_float=np.ones(n)
    )
    table = rows_table(verdict)
    assert table is not None
    assert table.left_out == 3
    assert len(table.rows) == MOST_ROWS
    assert table.rows[2] == ("2", "0", "1", "0", "0", "1", "0", "0", "0")


def test_a_table_for_the_terminal() -> None:
    table = rich_table(TextTable("Rows that", ("row", "class"), [("12", "[bold]ill")], left_out=4))
    console = Console(width=60, record=True, file=io.StringIO())
    console.print(table)
    text = console.export_text()
    for part in ("Rows that", "│  12 │ [bold]ill │", "and 4 more"):
        assert part in text


def test_what_counts_as_a_number() -> None:
    assert all(map(is_number, ["−1.5", "1e−05", "2/3", "≈ 0.25", "+∞", "12,000", ""]))
    assert not any(map(is_number, ["ill", "for “1”", "1 of 2"]))
