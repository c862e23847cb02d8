"""Which points the page offers to begin with; `engine.presets` makes them."""

from enum import StrEnum

import novikoff
from novikoff.lab import limits
from novikoff.lab.messages.answers import About, Preset

DEFAULT_MARGIN = 0.5

OFFERED = {
    "and": ("AND", "Two bits: both must be 1."),
    "or": ("OR", "Two bits: one is enough."),
    "xor": ("XOR", "Two bits: exactly one of them. No line does it."),
    "collinear": ("Three on a line", "The middle one is alone in its class."),
    "touching": ("Touching", "The classes share a point."),
    "toy": ("Six by hand", "Small enough for paper."),
    "margin": ("A geometric margin you choose", "Separable, and exactly that far apart."),
    "moons": ("Two moons", "Half circles that reach into each other."),
    "iris-setosa-versicolor": ("Iris: setosa, versicolor", "By their petals."),
    "iris-setosa-virginica": ("Iris: setosa, virginica", "By their petals."),
    "iris-versicolor-virginica": ("Iris: versicolor, virginica", "By their petals: the hard pair."),
    "iris-four-columns": ("Iris: the hard pair, all columns", "Four columns, as a projection."),
}
PRESETS = tuple(
    Preset(name=name, title=title, about=about, has_margin=name == "margin")
    for name, (title, about) in OFFERED.items()
)


PresetName = StrEnum("PresetName", {preset.name: preset.name for preset in PRESETS})  # type: ignore[misc]


def about_lab(token: str | None) -> About:
    """What a lab can do, and its limits."""
    return About(
        version=novikoff.__version__,
        presets=list(PRESETS),
        fewest_errors=True,
        limits={
            "points": limits.POINTS,
            "columns": limits.COLUMNS,
            "body_bytes": limits.BODY_BYTES,
            "largest_number": limits.LARGEST_NUMBER,
            "epochs": limits.EPOCHS,
            "steps_at_once": limits.STEPS_AT_ONCE,
        },
        token=token,
    )
