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


class Tensor:
    """Labels that only DLPack can read."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


@pytest.mark.parametrize(
    ("series", "name"),
    [
        (pd.Series([0, 1, 1], index=[7, 8, 9], name="tone"), "tone"),
        (pd.Series([0, 1, 1]), "concept0"),
        (pl.Series("tone", [0, 1, 1]), "tone"),
        (pl.Series([0, 1, 1]), "concept0"),
        (pa.array([0, 1, 1]), "concept0"),
        (Tensor([0, 1, 1]), "concept0"),
    ],
)
def test_a_series_is_one_concept_with_its_name_and_may_say_the_groups(series, name):
    (concept,) = concepts_of(series)
    assert (concept.name, concept.signs.tolist()) == (name, [-1, 1, 1])
    (concept,) = concepts_of({"in a mapping": series})
    assert concept.signs.tolist() == [-1, 1, 1]
    assert groups_of(series, 3).tolist() == [0, 1, 1]


def test_columns_of_frames_may_have_numbers_as_names():
    frame = pd.DataFrame(np.array([[0, 5], [1, 5], [1, 7]]))
    assert [concept.name for concept in concepts_of(frame)] == ["0", "1"]


@pytest.mark.parametrize(
    ("Y", "names", "message"),
    [
        ({"a": [0, 1], "b": [0, 1, 1]}, None, "'b' has 3 labels, but 'a' has 2"),
        ({"a": []}, None, "'a' has no labels"),
        ({"a": np.array(["2020", "2021", "NaT"], "M8[Y]")}, None, r"missing label \(row 2\)"),
        ({"a": np.ma.array([0, 1, 1], mask=[0, 0, 1])}, None, "masked"),
        (pd.DataFrame([[0, 1], [1, 0]], columns=["p", "p"]), None, "two concepts are called 'p'"),
        ([[0, 1], [1, 0]], 2, "names must be a list"),
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


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([1, 2], "3 rows"),
        ([4, 4, 4], "one group only"),
        ([1.0, 2.0, np.nan], r"missing entry \(row 2\)"),
        (["a", None, "b"], r"missing entry \(row 1\)"),
        (np.array(["a", 1, "b"], dtype=object), "several kinds"),
    ],
)
def test_groups_that_will_not_do(groups, message):
    with pytest.raises(novikoff.NovikoffError, match=message):
        groups_of(groups, 3)
