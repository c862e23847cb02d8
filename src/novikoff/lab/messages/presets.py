"""Which points the page offers to begin with; `engine.presets` makes them."""

from enum import StrEnum

from novikoff.lab.messages.answers import Preset

__all__ = ["DEFAULT_MARGIN", "PRESETS", "PresetName"]

DEFAULT_MARGIN = 0.5

PRESETS = (
    Preset(name="and", title="AND", about="Two bits: both must be 1.", has_margin=False),
    Preset(name="or", title="OR", about="Two bits: one is enough.", has_margin=False),
    Preset(name="xor", title="XOR", about="Two bits: exactly one. No line.", has_margin=False),
    Preset(name="collinear", title="Three on a line", about="The middle one alone.", has_margin=False),
    Preset(name="touching", title="Touching", about="The classes share a point.", has_margin=False),
    Preset(name="toy", title="Six by hand", about="Small enough for paper.", has_margin=False),
    Preset(name="margin", title="A margin you choose", about="Separable, exactly that far apart.", has_margin=True),
    Preset(name="moons", title="Two moons", about="Half circles reaching into each other.", has_margin=False),
    Preset(name="iris-setosa-versicolor", title="Iris: setosa, versicolor (petals)", about="Two species, two columns.", has_margin=False),
    Preset(name="iris-setosa-virginica", title="Iris: setosa, virginica (petals)", about="Two species, two columns.", has_margin=False),
    Preset(name="iris-versicolor-virginica", title="Iris: versicolor, virginica (petals)", about="The hard pair.", has_margin=False),
    Preset(name="iris-four-columns", title="Iris: versicolor, virginica (all four)", about="Four columns, seen as a projection.", has_margin=False),
)  # fmt: skip


PresetName = StrEnum("PresetName", {preset.name: preset.name for preset in PRESETS})  # type: ignore[misc]
