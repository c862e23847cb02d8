"""Probes drawn: what stands in the figure is what stands in the table."""

import numpy as np
import pytest

import novikoff
from novikoff.figures import plot_probe_map, plot_probes


@pytest.fixture(scope="module")
def layered():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 5))
    layers = {"embed": rng.standard_normal((60, 5)), "block 1": X, "block 2": X * 2}
    Y = {"first": X[:, 0] > 0, "noise": np.arange(60) % 2}
    return novikoff.probe(layers, Y, controls=2, progress=False, random_state=0)


@pytest.mark.parametrize("what", ["accuracy", "auc", "margin"])
def test_a_line_for_each_concept_and_a_band_for_its_controls(layered, what):
    ax = plot_probes(layered, what=what).axes[0]
    lines = {line.get_label(): line.get_ydata() for line in ax.get_lines()}
    expected = [
        (np.nan if row.margin is None else row.margin.lower)
        if what == "margin"
        else getattr(row, what)
        for row in (layered[layer, "first"] for layer in layered.layers)
    ]
    np.testing.assert_array_equal(lines["first"], expected)
    assert [tick.get_text() for tick in ax.get_xticklabels()] == list(layered.layers)
    assert any("Cover" in label for label in lines)
    if what != "margin":
        assert len(ax.collections) == 2


def test_without_layers_the_concepts_stand_side_by_side():
    X = np.random.default_rng(0).standard_normal((40, 3))
    probes = novikoff.probe(X, {"a": X[:, 0] > 0, "b": X[:, 1] > 0}, controls=1, progress=False)
    ax = plot_probes(probes).axes[0]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["a", "b"]
    assert plot_probe_map(probes).axes[0].images[0].get_array().shape == (2, 1)


def test_without_controls_there_is_no_band():
    X = np.random.default_rng(0).standard_normal((40, 3))
    probes = novikoff.probe([X, X], {"a": X[:, 0] > 0}, controls=0, progress=False)
    assert len(plot_probes(probes).axes[0].collections) == 0


def test_the_map_has_a_row_for_each_concept_and_marks_what_stands_out(layered):
    ax = plot_probe_map(layered).axes[0]
    values = np.asarray(ax.images[0].get_array())
    assert values.shape == (2, 3)
    assert values[0, 1] == layered["block 1", "first"].selectivity
    marked = {(int(line.get_xdata()[0]), int(line.get_ydata()[0])) for line in ax.get_lines()}
    assert marked == {(1, 0), (2, 0)}


def test_other_quantities_are_refused(layered):
    with pytest.raises(novikoff.NovikoffError, match="what must be one of"):
        plot_probes(layered, what="loss")
