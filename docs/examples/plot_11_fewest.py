"""
The fewest errors, and why there are no fewer
=============================================

Versicolor against virginica by their petals: the best plane, the rows that it gets wrong, and the
conflicts that forbid fewer errors. Each conflict is two small hulls that meet, so every line is
wrong somewhere in it. `novikoff.figures.plot_fewest` draws what `novikoff.fewest_errors` found.
"""

import novikoff
from novikoff.figures import plot_fewest

iris = novikoff.load_dataset("iris-versicolor-virginica")
found = novikoff.fewest_errors(iris.X[:, 2:], iris.y, names=iris.names[2:])
figure = plot_fewest(found)
print(found.explain())
