"""
Hulls that meet
===============

Where no hyperplane exists, the convex hulls of the two classes share a point. The figure shows
the hulls, the rows that the proof uses, and the point. In more than two dimensions it is a
projection, and still true: a point that both hulls hold is in both of their shadows.
"""

import novikoff
from novikoff.figures import plot_verdict, plot_verdict_hulls

hard = novikoff.load_dataset("iris-versicolor-virginica")
figure = plot_verdict(novikoff.separate(hard.X, hard.y, names=hard.names))

# %%
# Any verdict's hulls can be drawn, those of a separable one too.

easy = novikoff.load_dataset("iris-setosa-versicolor")
apart = plot_verdict_hulls(novikoff.separate(easy.X, easy.y, names=easy.names))
