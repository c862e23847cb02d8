"""
Classes that touch
==================

Quasi-complete separation: a hyperplane has no point on its wrong side, but some points lie on
it, and no hyperplane can do better.
"""

import novikoff
from novikoff.figures import plot_verdict

X = [[0, 0], [1, 2], [2, 1], [2, 2], [2, 2], [3, 1], [1, 3], [3, 3], [4, 2]]
y = ["low", "low", "low", "low", "high", "high", "high", "high", "high"]
verdict = novikoff.separate(X, y, names=["first", "second"])
figure = plot_verdict(verdict)
