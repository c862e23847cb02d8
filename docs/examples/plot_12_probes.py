"""
Probes by layer, beside shuffled labels
=======================================

A concept that becomes linear in the activations from layer to layer, and one that never does.
The bands are what the same labels give when they are shuffled.
"""

import numpy as np

import novikoff
from novikoff import figures

rng = np.random.default_rng(0)
concept, noise = rng.random(400) < 0.5, rng.random(400) < 0.5
layers = {}
for number in range(6):
    X = rng.normal(size=(400, 30))
    X[:, :3] += 0.5 * number * np.where(concept, 1, -1)[:, None]
    layers[f"{number}"] = X.astype(np.float32)
probes = novikoff.probe(
    layers, {"concept": concept, "noise": noise}, random_state=0, progress=False
)
figure = figures.plot_probes(probes)

# %%
# The same as a map. A dot marks what is separable while none of its controls is.

figure = figures.plot_probe_map(probes)

# %%
# What may be concluded, in sentences:

for layer in ("0", "5"):
    print(probes[layer, "concept"])
