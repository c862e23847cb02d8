"""
From plain numbers
==================

Under the figures of verdicts and traces are functions that take arrays: a separator, hulls, an
update, the convergence of any run. They draw into axes of yours, so that figures can be put
together.
"""

import numpy as np
from matplotlib.figure import Figure

from novikoff.figures import plot_convergence, plot_hulls, plot_separator, plot_update

X = np.array([[1.0, 1.0], [2.0, 0.5], [3.0, 3.0], [4.0, 2.5]])
y = np.array([-1, -1, 1, 1])
sheet = Figure(figsize=(15, 6), layout="constrained")
left, middle, right = sheet.subplots(1, 3)
plot_separator(X, y, [1.0, 1.0], -4.5, ax=left)
plot_hulls(X, y, ax=middle)
figure = plot_update(X, y, 2, [0.5, -1.0], 0.0, ax=right)

# %%
# A run of your own beside its bounds: ‖ŵ‖² and ŵ·ŵ* after each mistake, γ and R.

convergence = plot_convergence([4.0, 5.0, 9.0], [1.0, 2.0, 3.0], gamma=1.0, R=2.0)
