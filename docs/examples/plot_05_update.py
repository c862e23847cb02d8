"""
One mistake, and what it changes
================================

The third mistake of a run: the example, the hyperplane before and after, and both weight
vectors.
"""

import novikoff
from novikoff.figures import plot_trace_update

iris = novikoff.load_dataset("iris-setosa-versicolor")
run = novikoff.trace(iris.X[:, :2], iris.y, max_iter=20_000)
figure = plot_trace_update(run, 3)
