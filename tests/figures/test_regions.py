import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from tests.figures.reading import axes, legend, overlapping_texts, scattered

from novikoff.errors import ShapeError
from novikoff.figures import plot_regions
from novikoff.figures.examples import XOR


def test_each_place_has_the_colour_of_its_prediction() -> None:
    X, y = XOR
    model = SVC(gamma=2.0, C=100).fit(X, y)
    figure = plot_regions(model, X, y, support=[0, 3])
    ax = axes(figure)
    mesh = ax.collections[0]
    places = mesh.get_coordinates()
    centres = (places[:-1, :-1] + places[1:, 1:]) / 2
    predicted = model.predict(centres.reshape(-1, 2))
    assert np.mean(np.asarray(mesh.get_array()).ravel() == (predicted + 1) // 2) > 0.999
    assert legend(ax) == ["where the prediction changes", "class -1", "class 1", "support rows (2)"]
    assert scattered(ax, "support rows").tolist() == [[0, 0], [1, 1]]
    assert overlapping_texts(figure) == []


def test_three_classes_of_any_classifier() -> None:
    iris = load_iris(as_frame=True)
    X = iris.data.iloc[:, 2:]
    y = iris.target_names[iris.target]
    ax = axes(plot_regions(KNeighborsClassifier(3).fit(X.to_numpy(), y), X, y))
    assert legend(ax)[1:] == ["class setosa", "class versicolor", "class virginica"]
    assert ax.get_xlabel() == "petal length (cm)"
    assert len(scattered(ax, "class virginica")) == 50


def test_three_columns_are_an_error() -> None:
    with pytest.raises(ShapeError, match="two columns; X has 3"):
        plot_regions(None, np.eye(3), [0, 1, 1])
