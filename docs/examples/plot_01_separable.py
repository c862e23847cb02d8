"""
A separator with its margin
===========================

Two kinds of iris by their sepals: the hyperplane that separates them with the widest street,
the rows that hold it in place, and the weight vector. `novikoff.figures.plot_verdict` draws
what a verdict asks for.
"""

import novikoff
from novikoff.figures import plot_verdict

iris = novikoff.load_dataset("iris-setosa-versicolor")
verdict = novikoff.separate(iris.X[:, :2], iris.y, names=iris.names[:2])
figure = plot_verdict(verdict)

# %%
# With more than two columns, the figure shows the plane of w and the widest direction across it,
# and says so.

wide = plot_verdict(novikoff.separate(iris.X, iris.y, names=iris.names))
