"""Concepts from every kind of table, and controls that keep what they should keep."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import novikoff
from novikoff.probes.labels import concepts_of, control_signs, groups_of

COLUMNS = {"a": [0, 1, 1, 0], "b": ["x", "y", "y", "z"]}


@pytest.mark.parametrize(
    "table", [COLUMNS, pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS), pa.table(COLUMNS)]
)
def test_names_and_labels_come_from_the_table(table):
    concepts = concepts_of(table)
    assert [concept.name for concept in concepts] == ["a", "b=x", "b=y", "b=z"]
    assert [concept.signs.tolist() for concept in concepts] == [
        [-1, 1, 1, -1], [1, -1, -1, -1], [-1, 1, 1, -1], [-1, -1, -1, 1],
    ]  # fmt: skip
    assert concepts[0].classes == (0, 1)
    assert concepts[1].classes == (False, True)


def test_arrays_are_named_by_number_or_as_asked():
    Y = np.array([[0, 5], [1, 5], [1, 7]])
    assert [concept.name for concept in concepts_of(Y)] == ["concept0", "concept1"]
    assert [concept.name for concept in concepts_of(Y, ["p", "q"])] == ["p", "q"]
    assert [concept.name for concept in concepts_of(Y[:, 0])] == ["concept0"]


@pytest.mark.parametrize(
    ("Y", "names", "message"),
    [
        ({"a": [1, 1, 1]}, None, "'a' has one label only, 1"),
        ({"a": [1.0, np.nan, 0.0]}, None, r"'a' has a missing label \(row 1\)"),
        ({"a": ["x", None, "y"]}, None, "concept 'a'.*missing"),
        ({"a": np.arange(300)}, None, "300 different labels"),
        ({}, None, "no columns"),
        (np.zeros((2, 2, 2)), None, "3 dimensions"),
        ([[0, 1], [1, 0]], ["p"], "2 columns, but there are 1 names"),
        ([[0, 1], [1, 0]], ["p", "p"], "two concepts are called 'p'"),
    ],
)
def test_what_is_no_concept_is_named(Y, names, message):
    with pytest.raises(novikoff.NovikoffError, match=message):
        concepts_of(Y, names)


def test_controls_have_the_same_labels_on_other_rows():
    signs = np.repeat([1, -1], [30, 70]).astype(np.int8)
    shuffled, how = control_signs(signs, None, 4, np.random.default_rng(0))
    assert how == "all rows"
    assert shuffled.shape == (100, 4)
    assert ((shuffled > 0).sum(axis=0) == 30).all()
    assert not (shuffled == signs[:, None]).all(axis=0).any()


def test_within_groups_each_group_keeps_its_labels():
    rng = np.random.default_rng(1)
    groups = rng.integers(0, 9, 200)
    signs = np.where(rng.random(200) < 0.3, 1, -1).astype(np.int8)
    shuffled, how = control_signs(signs, groups, 3, rng)
    assert how == "within groups"
    for group in range(9):
        counts = (shuffled[groups == group] > 0).sum(axis=0)
        assert (counts == (signs[groups == group] > 0).sum()).all()
    assert (shuffled != signs[:, None]).any(axis=0).all()


def test_a_concept_of_whole_groups_is_shuffled_by_whole_groups():
    groups = np.repeat(np.arange(10), 5)
    signs = np.where(groups < 4, 1, -1).astype(np.int8)
    shuffled, how = control_signs(signs, groups, 6, np.random.default_rng(0))
    assert how == "whole groups"
    of_group = shuffled.reshape(10, 5, 6)
    assert (of_group == of_group[:, :1]).all()
    assert ((of_group[:, 0] > 0).sum(axis=0) == 4).all()
    assert (shuffled != signs[:, None]).any()


def test_no_controls_are_no_columns():
    assert control_signs(np.array([1, -1], np.int8), None, 0, np.random.default_rng())[0].shape == (
        2, 0,
    )  # fmt: skip


@pytest.mark.parametrize(("groups", "message"), [([1, 2], "3 rows"), ([4, 4, 4], "one group only")])
def test_groups_that_will_not_do(groups, message):
    with pytest.raises(novikoff.NovikoffError, match=message):
        groups_of(groups, 3)
