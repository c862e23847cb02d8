"""The page about probes: whole, without scripts, with every row and its sentence."""

import numpy as np

import novikoff
from novikoff.report.pages import probes_page


def test_the_page_has_the_table_the_sentences_and_the_figures():
    X = np.random.default_rng(0).standard_normal((50, 4))
    labels = {"<b>first</b>": X[:, 0] > 0, "noise": np.arange(50) % 2}
    probes = novikoff.probe({"a": X, "b": -X}, labels, controls=1, progress=False, random_state=0)
    page = probes_page(probes, source="layers.npz")
    assert page.startswith("<!doctype html>")
    assert "<script" not in page
    assert "<b>first</b>" not in page  # a name is text and nothing else
    assert page.count("<figcaption>") == 2
    assert "2 of 4 are separable, 2 of them while no control is. Computed on the CPU." in page
    assert "The plane reflects the concept." in page
