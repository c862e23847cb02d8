"""The types of the API's answers: numbers, texts, and shapes in the coordinates of the plot.

A place is (x, y) in the plane that is shown. In a chart a place is a share of its width and its
height, from 0 to 1, so that the page has nothing to compute.
"""

from typing import Any, Literal

from pydantic import BaseModel

from novikoff.lab.messages.requests import LabelledPoints, ViewBox

Place = tuple[float, float]
Segment = tuple[Place, Place]


class Refusal(BaseModel):
    """Why there is no answer, in a sentence."""

    error: str


class Tick(BaseModel):
    """A mark on an axis."""

    at: float
    text: str


class PlaneAnswer(BaseModel):
    """The plane that is shown. `note` says so where it is a projection.

    `digits` are the places after the point that a click is worth, `nudge` one press of an arrow
    key; points can be added and moved only where the plane is `editable`.
    """

    view: ViewBox
    labels: tuple[str, str]
    is_projection: bool
    note: str
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    digits: int
    nudge: float
    editable: bool


class Hull(BaseModel):
    """A convex hull, by its corners."""

    kind: Literal["plus", "minus", "mirrored"]
    label: str
    corners: list[Place]


class Multiplier(BaseModel):
    """α of a row, exact, as a text."""

    row: int
    text: str


class SharedPoint(BaseModel):
    """The point that the proof is about."""

    place: Place
    label: str


class Arrow(BaseModel):
    """From where to where."""

    start: Place
    end: Place


class Marks(BaseModel):
    """What is drawn over the points to show the verdict."""

    line: Segment | None = None
    band: list[Place] | None = None
    normal: Arrow | None = None
    direction: Place | None = None
    ringed: list[int] = []
    ringed_label: str = ""
    alpha: list[Multiplier] = []
    hulls: list[Hull] = []
    shared: SharedPoint | None = None


class VerdictText(BaseModel):
    """The verdict in words and numbers; `why_not` is empty where the classes are separable."""

    word: Literal["separable", "touching", "overlapping", "undecided"]
    headline: str
    facts: list[tuple[str, str]]
    why_not: list[str]
    margin: float | None
    mistake_bound: float | None


class VerdictAnswer(BaseModel):
    """The plane, where the points stand in it, the verdict, and what to draw.

    `verdict` is null where there is none yet (a class without points); `message` then says so.
    """

    plane: PlaneAnswer
    places: list[Place]
    verdict: VerdictText | None
    message: str | None
    marks: Marks


class Curve(BaseModel):
    """A line of a chart: its places, and the value at each as a text."""

    name: str
    role: Literal["norm", "alignment", "cosine", "mistakes", "bound", "floor", "limit"]
    places: list[Place]
    texts: list[str]


class Chart(BaseModel):
    """A chart. `steps` says which mistake each place of a curve belongs to."""

    key: str
    title: str
    x_label: str
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    curves: list[Curve]
    steps: list[int]
    note: str
    cycle: Place | None


class Cycle(BaseModel):
    """After mistake `last` the weights are those after mistake `first` again."""

    first: int
    last: int
    epochs: int
    rows: list[int]
    counts: list[int]
    sentences: list[str]
    certificate: dict[str, Any]


class RunAnswer(BaseModel):
    """How a run went, and the proof beside it."""

    n_mistakes: int
    n_epochs: int
    status: str
    sentence: str
    summary: list[str]
    charts: list[Chart]
    cycle: Cycle | None


class Compass(BaseModel):
    """Directions in the plane, of length 1 (or absent): where w pointed and points."""

    old: Place | None
    new: Place | None
    step: Place | None


class Step(BaseModel):
    """The state after k mistakes, and the mistake that led to it (none for k = 0)."""

    k: int
    epoch: int | None
    row: int | None
    old_line: Segment | None
    new_line: Segment | None
    normal: Arrow | None
    compass: Compass
    wrong: list[int]
    title: str
    words: list[str]


class Steps(BaseModel):
    """Consecutive steps of a run."""

    steps: list[Step]
    n_mistakes: int


class CertificateAnswer(BaseModel):
    """The certificate of the verdict, as the fields and as the text of its file."""

    certificate: dict[str, Any]
    text: str


class VerifyAnswer(BaseModel):
    """Whether the certificate proves what it says about these points, and why."""

    valid: bool
    reason: str


class Contender(BaseModel):
    """One learner: its hyperplane and its errors."""

    name: str
    about: str
    line: Segment | None
    errors: int
    wrong: list[int]
    weights: str


class Comparison(BaseModel):
    """Learners side by side on the same points."""

    contenders: list[Contender]
    sentence: str


class Regions(BaseModel):
    """What a classifier says of the plane: rings of the areas of +1 and −1, and their border."""

    plus: list[list[Place]]
    minus: list[list[Place]]
    border: list[list[Place]]
    support: list[int]
    errors: int
    sentence: str


class LiftTried(BaseModel):
    """A lift and the verdict after it."""

    name: str
    columns: int
    word: str


class LiftAnswer(BaseModel):
    """The lifts that were tried, and the regions of the smallest one that separates."""

    tried: list[LiftTried]
    sentence: str
    regions: Regions | None


class SpacePoint(BaseModel):
    """A lifted point as seen, and where the plane is under or over it."""

    row: int
    sign: int
    place: Place
    foot: Place | None


class SpaceAnswer(BaseModel):
    """The lifted points seen from a direction, from the farthest to the nearest."""

    points: list[SpacePoint]
    plane: list[Place] | None
    surface: list[list[Place]]
    axes: list[tuple[Segment, str]]
    word: str
    sentence: str


class Activation(BaseModel):
    """One row of the table of activations."""

    row: int
    inputs: list[str]
    activations: list[str]
    active: list[bool]
    score: str
    predicted: Literal[-1, 1]
    label: Literal[-1, 1]


class NetworkAnswer(BaseModel):
    """A network: its weights as texts and signs, the table of its activations, its regions."""

    hidden_weights: list[list[str]]
    hidden_signs: list[list[int]]
    hidden_biases: list[str]
    output_weights: list[str]
    output_signs: list[int]
    output_bias: str
    table: list[Activation]
    sentence: str
    regions: Regions | None


class FewestErrorsAnswer(BaseModel):
    """From `least` to `most` errors (`proven`: these are one number), the points that are given up,
    and the conflicts that forbid fewer.
    """  # noqa: D205

    least: int
    most: int
    proven: bool
    given_up: list[int]
    conflicts: list[list[int]]
    line: Segment | None
    sentence: str


class Preset(BaseModel):
    """Built-in points that the page offers."""

    name: str
    title: str
    about: str
    has_margin: bool


class About(BaseModel):
    """What this lab can do."""

    version: str
    presets: list[Preset]
    fewest_errors: bool
    limits: dict[str, float]
    token: str | None


class Column(BaseModel):
    """A column of an uploaded file: what it is called, and what it holds."""

    name: str
    numeric: bool
    missing: int
    distinct: int
    values: list[str]


class Columns(BaseModel):
    """The columns of an uploaded file, and which of them look like label and features."""

    rows: int
    columns: list[Column]
    label: str
    features: list[str]


class PointsAnswer(BaseModel):
    """Points to look at, and what was done to get them."""

    points: LabelledPoints
    notes: list[str]
