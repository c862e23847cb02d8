"""
The convergence theorem along a run
===================================

Every quantity of Novikoff's proof beside its bound: the mistakes under R²/γ², the squared
length of the weights under kR², their part along the separator above kγ, and the cosine between
the two.
"""

import novikoff
from novikoff.figures import plot_mistakes, plot_trace

iris = novikoff.load_dataset("iris-setosa-versicolor")
X, y = iris.X[:, :2], iris.y
run = novikoff.trace(X, y, max_iter=20_000, separator=novikoff.separate(X, y))
figure = plot_trace(run)

# %%
# Where nothing separates, there is no bound, and the mistakes never stop.
xor = novikoff.load_dataset("xor")
endless = plot_mistakes(novikoff.trace(xor.X, xor.y))
