"""The types of the API's requests: every field has its limits, and unknown fields are refused."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictBool, model_validator

from novikoff.lab import limits

Number = Annotated[
    float,
    Field(strict=True, allow_inf_nan=False, ge=-limits.LARGEST_NUMBER, le=limits.LARGEST_NUMBER),
]
# The view around the points is wider than the points are.
Edge = Annotated[
    float,
    Field(
        strict=True,
        allow_inf_nan=False,
        ge=-4 * limits.LARGEST_NUMBER,
        le=4 * limits.LARGEST_NUMBER,
    ),
]
Name = Annotated[str, Field(min_length=1, max_length=limits.NAME_LENGTH)]
Row = Annotated[tuple[Number, ...], Field(min_length=1, max_length=limits.COLUMNS)]
Sign = Literal[-1, 1]


class Ask(BaseModel):
    """The base of all requests: nothing unknown, nothing changed after it was checked.

    Numbers and truth values are what they are called: a text that looks like one is refused.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)


class LabelledPoints(Ask):
    """The points on the page. `classes` are the labels that −1 and +1 stand for.

    With `decimals` a number stands for the decimal that was written: 0.1 is one tenth.
    """

    X: Annotated[tuple[Row, ...], Field(max_length=limits.POINTS)]
    y: Annotated[tuple[Sign, ...], Field(max_length=limits.POINTS)]
    names: Annotated[tuple[Name, ...], Field(min_length=1, max_length=limits.COLUMNS)]
    classes: tuple[Name, Name] = ("−1", "+1")
    decimals: StrictBool = True

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if len(self.X) != len(self.y):
            raise ValueError(f"{len(self.X)} points, but {len(self.y)} labels")
        for i, row in enumerate(self.X):
            if len(row) != len(self.names):
                raise ValueError(f"point {i} has {len(row)} numbers for {len(self.names)} names")
        if len(set(self.names)) < len(self.names):
            raise ValueError("two columns have the same name")
        if self.classes[0] == self.classes[1]:
            raise ValueError("the two classes have the same name")
        return self


class ViewBox(Ask):
    """The part of the plane that is shown."""

    left: Edge
    right: Edge
    bottom: Edge
    top: Edge

    @model_validator(mode="after")
    def _has_a_size(self) -> Self:
        for low, high in ((self.left, self.right), (self.bottom, self.top)):
            if high - low > 1e-9 * max(abs(low), abs(high)):
                continue
            raise ValueError("the view must have a width and a height")
        return self


class VerdictRequest(Ask):
    """Points, whether the plane may miss the origin, and the view to keep if there is one."""

    points: LabelledPoints
    fit_intercept: StrictBool = True
    view: ViewBox | None = None


class RunOptions(Ask):
    """The options of the perceptron, as in `novikoff.trace`."""

    eta0: Annotated[float, Field(strict=True, gt=1e-6, le=1e6, allow_inf_nan=False)] = 1.0
    max_iter: Annotated[int, Field(strict=True, ge=1, le=limits.EPOCHS)] = 1000
    order: Literal["cyclic", "shuffled", "random", "worst"] = "cyclic"
    tie: Literal["mistake", "+1", "-1"] = "mistake"
    fit_intercept: StrictBool = True
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**31)] = 0


class RunRequest(Ask):
    """A run to be made."""

    points: LabelledPoints
    options: RunOptions = RunOptions()


class StepsRequest(RunRequest):
    """Some steps of that run: `first` counts mistakes, and 0 is the start before any."""

    first: Annotated[int, Field(strict=True, ge=0)] = 0
    count: Annotated[int, Field(strict=True, ge=1, le=limits.STEPS_AT_ONCE)] = 1
    view: ViewBox | None = None


class VerifyRequest(Ask):
    """A certificate, as its file has it, to be checked against points."""

    points: LabelledPoints
    certificate: dict[str, Any]


class CompareRequest(RunRequest):
    """The plain run, the pocket and the average of the same options."""

    view: ViewBox | None = None


class RegionsRequest(Ask):
    """A kernel whose decision regions are wanted."""

    points: LabelledPoints
    kernel: Literal["rbf", "poly"] = "rbf"
    gamma: Annotated[float, Field(strict=True, gt=1e-6, le=1e6, allow_inf_nan=False)] = 1.0
    degree: Annotated[int, Field(strict=True, ge=1, le=8)] = 2
    view: ViewBox | None = None


class LiftRequest(Ask):
    """The smallest lift after which a hyperplane separates."""

    points: LabelledPoints
    max_degree: Annotated[int, Field(strict=True, ge=1, le=6)] = 4
    view: ViewBox | None = None


class SpaceRequest(Ask):
    """The lift (x₁, x₂, x₁x₂) seen from a direction, in degrees."""

    points: LabelledPoints
    azimuth: Annotated[float, Field(strict=True, ge=-360, le=360, allow_inf_nan=False)] = -62.0
    elevation: Annotated[float, Field(strict=True, ge=-90, le=90, allow_inf_nan=False)] = 18.0


class NetworkRequest(Ask):
    """A network of one hidden layer of ReLU units."""

    points: LabelledPoints
    hidden: Annotated[int, Field(strict=True, ge=1, le=limits.HIDDEN_UNITS)] = 2
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**31)] = 0
    view: ViewBox | None = None


class FewestErrorsRequest(Ask):
    """The fewest points that any hyperplane has on its wrong side."""

    points: LabelledPoints
    fit_intercept: StrictBool = True
    view: ViewBox | None = None


class CsvFile(Ask):
    """The text of a CSV file: a file's own bytes, never a path."""

    csv: Annotated[str, Field(min_length=1, max_length=limits.BODY_BYTES)]


class ChooseColumns(CsvFile):
    """Which column of that file is the label, and which are the features."""

    label: str
    features: Annotated[tuple[str, ...], Field(min_length=1, max_length=limits.COLUMNS)]
    positive: str | None = None
    classes: tuple[str, str] | None = None
    drop_missing: StrictBool = False
