"""
What any classifier predicts
============================

The plane coloured by the predictions of a fitted classifier, here a kernel perceptron on two
half circles that no line separates. Anything with ``predict`` and ``classes_`` will do.
"""

import novikoff
from novikoff.figures import plot_regions

moons = novikoff.load_dataset("moons")
model = novikoff.KernelPerceptron(kernel="rbf", gamma=2.0).fit(moons.X, moons.y)
figure = plot_regions(model, moons.X, moons.y, names=moons.names)
