"""`novikoff.probe` as a user sees it: tables, layers, sentences, errors."""

import json
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import novikoff
from novikoff.errors import OptionError
from novikoff.probes.conclusions import conclusion

pytestmark = pytest.mark.slow


def activations(n=120, d=10, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d)).astype(np.float32)


def probe(X, Y, **options):
    return novikoff.probe(X, Y, **{"progress": False, "random_state": 0, "controls": 2, **options})


X = activations()
Y = {"first": X[:, 0] > 0, "noise": np.arange(120) % 3 == 0, "third": np.arange(120) % 4 % 3}


def test_there_is_a_row_for_each_concept():
    found = probe(X, Y)
    assert found.concepts == ("first", "noise", "third=0", "third=1", "third=2")
    assert len(found) == 5
    assert found["first"] is found[0]
    assert found.layers == ()
    row = found["first"]
    assert (row.verdict, row.n, row.dimension, row.n_test) == ("separable", 120, 10, 30)
    assert row.accuracy > 0.8
    assert row.auc > 0.9
    assert row.selectivity == row.accuracy - np.mean([c.accuracy for c in row.controls])
    assert row.cover == novikoff.cover_probability(120, 10)
    assert "Separable, and none of 2 controls is" in row.conclusion


def test_frames_json_and_text_say_the_same():
    found = probe(X, Y)
    frame = found.to_frame()
    assert frame["concept"].tolist() == list(found.concepts)
    assert frame["verdict"].tolist() == [row.verdict for row in found]
    assert frame.loc[0, "margin_lower"] == found[0].margin.lower
    document = json.loads(found.to_json())
    assert [row["verdict"] for row in document["probes"]] == [row.verdict for row in found]
    assert document["probes"][1]["margin"] is None
    assert str(found).splitlines()[0].split()[:3] == ["concept", "verdict", "geometric"]
    assert "<table>" in found._repr_html_()


def test_the_same_seed_gives_the_same_table():
    assert probe(X, Y).to_json() == probe(X, Y).to_json()
    assert probe(X, Y).to_json() != probe(X, Y, random_state=1).to_json()


def test_layers_of_a_mapping_a_list_an_iterator_and_a_third_axis():
    layers = {"embed": activations(seed=1), "block 1": X}
    expected = probe(layers, Y)
    assert expected.layers == ("embed", "block 1")
    assert expected["block 1", "first"].verdict == "separable"
    forms = [
        list(layers.items()),
        iter(layers.items()),
        list(layers.values()),
        (array for array in layers.values()),
        np.stack(list(layers.values())),
        [array.tolist() for array in layers.values()],
        layers.items(),
        layers.values(),
    ]
    for form in forms:
        found = probe(form, Y)
        assert [row.verdict for row in found] == [row.verdict for row in expected]
        assert [row.accuracy for row in found] == [row.accuracy for row in expected]
    with pytest.raises(novikoff.NovikoffError, match="concept of 2 layers"):
        expected["first"]
    with pytest.raises(novikoff.NovikoffError, match="no row is called"):
        expected["block 2", "first"]


def test_one_layer_at_a_time_is_in_memory():
    made = []

    def layers():
        for number in range(3):
            assert not any(alive() is not None for alive in made)
            array = activations(seed=number)
            made.append(weakref.ref(array))
            yield f"layer {number}", array
            del array

    class Iterable:
        def __iter__(self):
            return layers()

    probe(Iterable(), {"first": Y["first"]})
    found = probe(layers(), {"first": Y["first"]})
    assert len(made) == 6
    with pytest.raises(novikoff.NovikoffError, match="came one at a time"):
        found["layer 1", "first"].certificate()
    certificate = found["layer 1", "first"].certificate(activations(seed=1))
    assert novikoff.verify(certificate, activations(seed=1), Y["first"]).valid
    with pytest.raises(novikoff.NovikoffError, match="shape"):
        found["layer 1", "first"].certificate(activations(5))


def test_the_layers_of_a_file_are_not_kept(tmp_path):
    np.savez(tmp_path / "layers.npz", one=X, two=2 * X)
    with np.load(tmp_path / "layers.npz") as file:
        found = probe(file, Y)
    assert found.layers == ("one", "two")
    assert all(row.points.X is None for row in found)


def test_layers_without_names_are_found_by_their_numbers():
    found = probe([X, 2 * X], Y)
    assert found[1, "first"] is found["1", "first"]
    with pytest.raises(novikoff.NovikoffError, match="no row is called"):
        found[1, "first", 2]


def test_controls_have_certificates_too():
    for row in probe(X, Y):
        for control in row.controls:
            assert novikoff.verify(control.certificate(), X, control.labels).valid


def test_one_against_the_rest_is_verified_with_true_and_false():
    row = probe(X, Y)["third=1"]
    assert novikoff.verify(row.certificate(), X, Y["third"] == 1).valid


def test_few_points_are_separable_whatever_their_labels():
    points = activations(20, 30)
    for row in probe(points, {"any": np.arange(20) % 2}, controls=3):
        assert row.verdict == "separable"
        assert row.cover == 1
        assert "so is every labelling of these points: n = 20, d = 19" in row.conclusion


def test_separable_controls_are_held_against_the_concept():
    points = activations(60, 40)
    row = probe(points, {"first": points[:, 0] > 0}, controls=4)[0]
    assert row.verdict == "separable"
    assert "but so are random labels on these points" in row.conclusion
    assert "n = 60, d = 40" in row.conclusion


def test_groups_are_held_out_and_shuffled_within():
    groups = np.repeat(np.arange(24), 5)
    assert probe(X, Y, groups=groups)["noise"].shuffle == "within groups"
    assert probe(X, {"g": groups % 2}, groups=groups)["g"].shuffle == "whole groups"
    assert probe(X, Y)["noise"].shuffle == "all rows"


def test_few_groups_with_a_label_each_do_not_generalise_by_chance():
    groups = np.repeat(np.arange(12), 20)
    said = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        points = 3 * rng.standard_normal((12, 8))[groups] + rng.standard_normal((240, 8))
        labels = rng.permutation(np.arange(12) % 2)[groups]  # of no group's doing
        row = probe(points, {"none": labels}, groups=groups, controls=3, random_state=seed)[0]
        assert (row.n_test, row.n_apart, row.shuffle) == (60, 3.0, "whole groups")
        said.append(row.conclusion)
    assert not any("it generalises" in sentence for sentence in said)
    assert any("no better than chance" in sentence for sentence in said)


def test_controls_that_are_the_concept_are_not_held_against_it():
    groups = np.repeat(np.arange(12), 10)
    labels = groups % 2
    labels[0] = 1  # one row of one group: the others do not vary
    points = X.copy()
    points[:, 0] += 9 * (2 * labels - 1)
    row = probe(points, {"of groups": labels}, groups=groups, controls=3)[0]
    assert (row.verdict, row.shuffle) == ("separable", "within groups")
    assert "controls agree with the concept in 9" in row.conclusion
    assert "nothing follows" in row.conclusion
    assert "chance" not in row.conclusion


def test_without_controls_nothing_is_compared():
    row = probe(X, Y, controls=0)["first"]
    assert row.controls == ()
    assert np.isnan(row.selectivity)
    assert "without controls" in row.conclusion


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X, {"a": np.arange(7) % 2}), "X has 120 rows, but Y has 7 labels"),
        ((X[:0], []), "no labels"),
        (({"one": X, "two": X[:7]}, Y), "layer 'two' has 7 rows, but Y has 120"),
        (([("one", X), ("one", X)], Y), "two layers are called 'one'"),
        (({}, Y), "no layers"),
        ((iter([]), Y), "no layers"),
        ((X.astype(np.float64) * 1e200, Y), "multiply X by a constant"),
        ((X.astype(np.float64) * 1e-200, Y), "multiply X by a constant"),
        ((np.full((120, 2), 2**60, dtype=np.int64), Y), "beyond 2"),
        ((np.full_like(X, np.nan), Y), "row 0, column 0"),
        ((X.astype(complex), Y), "real numbers"),
    ],
)
def test_what_cannot_be_probed_is_named(arguments, message):
    with pytest.raises(novikoff.NovikoffError, match=message):
        probe(*arguments)


@pytest.mark.parametrize(
    "options",
    [{"controls": -1}, {"controls": 1.5}, {"test": 2}, {"recheck": "none"}, {"names": "noise"}],
)
def test_options_that_will_not_do(options):
    with pytest.raises(novikoff.NovikoffError):
        probe(X, Y, **options)


def test_infinite_float16_is_named_with_its_place():
    half = X.astype(np.float16)
    half[3, 4] = np.inf
    with pytest.raises(novikoff.NovikoffError, match="row 3, column 4"):
        probe(half, Y)


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=10)
def test_every_row_has_a_sentence(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(6, 40)), int(rng.integers(1, 12))
    points = rng.integers(-2, 3, (n, d)).astype(np.float32)
    labels = np.arange(n) % int(rng.integers(2, 4))
    for row in probe(points, labels, controls=1):
        assert conclusion(row) == row.conclusion
        assert row.conclusion.endswith(".")


def test_a_share_may_be_a_number_of_numpys():
    assert probe(X, Y, test=np.float32(0.5))["first"].n_test == 60


def test_a_seed_is_a_number():
    with pytest.raises(OptionError, match="random_state"):
        probe(X, Y, random_state="x")


def test_progress_is_a_flag():
    with pytest.raises(OptionError, match="progress must be True or False; got 'x'"):
        novikoff.probe(np.eye(4), {"first": np.arange(4) > 1}, progress="x")
