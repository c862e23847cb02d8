"""
A network for XOR
=================

Two hidden units with whole numbers for weights, and what each of them says about each row.
"""

import novikoff
from novikoff.figures import plot_network

xor = novikoff.load_dataset("xor")
network = novikoff.ReluNetwork.xor()
figure = plot_network(network.W_, network.b_, network.v_, network.c_, X=xor.X, y=xor.y)
