"""
The textbook's figures
======================

These need no data: a threshold unit, a separable set beside one that is not, XOR with the
inequalities that cannot all hold, and its lift into three dimensions, where a plane does it.
"""

from novikoff.figures import plot_comparison, plot_lift, plot_perceptron, plot_xor

unit = plot_perceptron([1.0, -2.0], 0.5, names=["dose", "age"])

# %%
comparison = plot_comparison()

# %%
xor = plot_xor()

# %%
lift = plot_lift()
