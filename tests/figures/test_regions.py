import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from tests.figures.reading import axes, named, overlapping_texts, scattered

from novikoff.errors import ShapeError
from novikoff.figures import plot_regions
from novikoff.figures.textbook import XOR

PLACES = np.array([[0.1, 0.05], [0.9, 0.95], [0.1, 0.9], [0.95, 0.1]])


def test_each_place_has_the_colour_of_its_prediction() -> None:
    X, y = XOR
    model = SVC(gamma=2.0, C=100).fit(X, y)
    figure = plot_regions(model, X, y, support=[0, 3])
    ax = axes(figure)
    for sign, region in zip((-1, 1), [c for c in ax.collections if c.get_alpha()], strict=True):
        inside = [path.contains_points(PLACES) for path in region.get_paths()]
        assert np.array_equal(np.any(inside, axis=0), model.predict(PLACES) == sign)
    border = next(c for c in ax.collections if c.get_alpha() is None and len(c.get_paths()))
    vertices = np.vstack([path.vertices for path in border.get_paths()])
    assert np.abs(model.decision_function(vertices)).max() < 1e-3  # where the score is 0
    assert ax.get_title() == "SVC: 0 of 4 rows are wrong"
    changes = "where the prediction changes"
    assert named(ax) == {changes, "class −1", "class +1", "support rows (2)"}
    assert scattered(ax, "support rows").tolist() == [[0, 0], [1, 1]]
    assert overlapping_texts(figure) == []


def test_three_classes_of_any_classifier() -> None:
    iris = load_iris(as_frame=True)
    X = iris.data.iloc[:, 2:]
    y = iris.target_names[iris.target]
    ax = axes(plot_regions(KNeighborsClassifier(3).fit(X.to_numpy(), y), X, y))
    assert named(ax) >= {"class setosa", "class versicolor", "class virginica"}
    assert ax.get_xlabel() == "petal length (cm)"
    assert len(scattered(ax, "class virginica")) == 50


def test_three_columns_are_an_error() -> None:
    with pytest.raises(ShapeError, match="two columns; X has 3"):
        plot_regions(None, np.eye(3), [0, 1, 1])


def test_without_scores_each_place_has_the_colour_of_its_prediction() -> None:
    X, y = XOR
    model = KNeighborsClassifier(1).fit(X, y)
    mesh = axes(plot_regions(model, X, y)).collections[0]
    places = mesh.get_coordinates()
    centres = (places[:-1, :-1] + places[1:, 1:]) / 2
    predicted = model.predict(centres.reshape(-1, 2))
    assert np.mean(np.asarray(mesh.get_array()).ravel() == (predicted + 1) // 2) > 0.999


def test_no_border_is_promised_where_one_class_has_everything() -> None:
    X, y = XOR
    words = named(axes(plot_regions(DummyClassifier().fit(X, y), X, y)))
    assert words == {"class −1", "class +1"}
