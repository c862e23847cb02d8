"""The proof as charts: every quantity of it beside its bound, mistake by mistake.

kγ ≤ ŵ*·ŵ_k ≤ ‖ŵ_k‖ ≤ √k·R, so k ≤ R²/γ². Where no separator exists there is no ŵ* and no γ: then
‖ŵ_k‖² ≤ kR² still holds, and nothing stops k.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

import novikoff
from novikoff.lab.engine.stage import ticks_between
from novikoff.lab.messages.answers import Chart, Curve, Cycle, Tick
from novikoff.report.tables import short

MOST_DRAWN = 400
LOGARITHMIC_FROM = 30.0  # times the greatest measured value: a bound this far away hides it

Floats = NDArray[np.float64]
Role = Literal["norm", "alignment", "cosine", "mistakes", "bound", "floor", "limit"]


@dataclass(frozen=True)
class Line:
    """A curve in its own units."""

    name: str
    role: Role
    values: Floats


@dataclass(frozen=True)
class Sheet:
    """What charts of a run share: which mistakes are drawn, over what, and where the cycle is."""

    steps: NDArray[np.int64]
    over: NDArray[np.int64]
    x_label: str
    cycle: tuple[int, int] | None

    @classmethod
    def by_mistakes(cls, steps: NDArray[np.int64], cycle: Cycle | None) -> "Sheet":
        """Everything over k, the number of mistakes."""
        between = None if cycle is None else (cycle.first, cycle.last)
        return cls(steps, steps, "k, mistakes so far", between)

    @classmethod
    def by_rounds(cls, steps: NDArray[np.int64], cycle: Cycle | None, made: Any) -> "Sheet":
        """Over the examples presented, to the end of the run."""
        rounds = np.concatenate([[0], made.rounds + 1])
        between = None if cycle is None else (int(rounds[cycle.first]), int(rounds[cycle.last]))
        over = np.append(rounds[steps], max(made.problem.n * made.n_epochs, int(rounds[-1])))
        return cls(np.append(steps, steps[-1]), over, "rounds, examples presented", between)

    def chart(self, key: str, title: str, lines: list[Line], note: str) -> Chart:
        """Lines over the number of mistakes, scaled to shares of the chart."""
        across, x_ticks = self._across()
        up, y_ticks = _upwards(lines)
        curves = [
            Curve(
                name=line.name,
                role=line.role,
                places=[
                    (round(x, 5), round(y, 5))
                    for x, y in zip(across.tolist(), up(line.values).tolist(), strict=True)
                ],
                texts=[short(value) for value in line.values.tolist()],
            )
            for line in lines
        ]
        return Chart(
            key=key,
            title=title,
            x_label=self.x_label,
            x_ticks=x_ticks,
            y_ticks=y_ticks,
            curves=curves,
            steps=self.steps.tolist(),
            note=note,
            cycle=self._cycle_across(),
        )

    def _across(self) -> tuple[Floats, list[Tick]]:
        last = float(max(self.over[-1], 1))
        ticks = [tick for tick in ticks_between(0.0, last) if float(tick.at).is_integer()]
        shown = [Tick(at=tick.at / last, text=tick.text) for tick in ticks]
        return self.over / last, shown

    def _cycle_across(self) -> tuple[float, float] | None:
        if self.cycle is None:
            return None
        last = float(max(self.over[-1], 1))
        return self.cycle[0] / last, self.cycle[1] / last


def charts_of(made: Any, proof: Any, cycle: Cycle | None) -> list[Chart]:
    """The charts of a run, beside its inequalities if it has any; none where it made no mistake."""
    if made.n_mistakes == 0:
        return []
    steps = _places_to_draw(made.n_mistakes)
    sheet = Sheet.by_mistakes(steps, cycle)
    rounds = Sheet.by_rounds(steps, cycle, made)
    eta = "" if made.eta0 == 1 else f" (with η = {short(made.eta0)})"
    if proof is None:
        return _without_separator(sheet, rounds, made, eta)
    k = steps.astype(np.float64)
    mistakes = [Line("mistakes made", "mistakes", rounds.steps.astype(np.float64))]
    bound = proof.mistake_bound
    if math.isfinite(bound):
        flat = np.full(len(rounds.steps), bound)
        name = f"`R²/γ² = {short(bound)}`, augmented `γ = {short(proof.gamma)}`"
        mistakes.append(Line(name, "bound", flat))
    norms = np.maximum(_from_zero(proof.squared_norm, steps), 0.0)  # rounding may leave less
    alignments = _from_zero(proof.alignment, steps)
    norm_bound, floor = (made.eta0 * proof.R) ** 2 * k, made.eta0 * proof.gamma * k
    squares = [
        Line("`‖w_k‖²`", "norm", norms),
        Line("`kR²`", "bound", norm_bound),
        Line("`w*·w_k`", "alignment", alignments),
        Line("`kγ`", "floor", floor),
    ]
    lengths = [
        Line("`√k·R`", "bound", np.sqrt(norm_bound)),
        Line("`‖w_k‖`", "norm", np.sqrt(norms)),
        Line("`w*·w_k`", "alignment", alignments),
        Line("`kγ`", "floor", floor),
    ]
    cosine = [
        Line("the limit 1", "limit", np.ones(len(k))),
        Line("cosine of `w_k` and `w*`", "cosine", _from_zero(proof.cosine, steps)),
        Line("`√k·γ/R`", "floor", np.sqrt(k) * proof.gamma / proof.R),
    ]
    return [
        rounds.chart("bound", "Mistakes stay under `R²/γ²`", mistakes, _beyond(bound)),
        sheet.chart(
            "squares",
            f"`‖w_k‖²` stays under `kR²`, `w*·w_k` above `kγ`{eta}",
            squares,
            "`w*` is the unit vector of widest augmented margin, and γ that margin.",
        ),
        sheet.chart(
            "lengths",
            f"As lengths: `kγ ≤ w*·w_k ≤ ‖w_k‖ ≤ √k·R`{eta}",
            lengths,
            "`kγ` is a straight line and `√k·R` bends: they meet at `k = R²/γ²`.",
        ),
        sheet.chart("cosine", "So the cosine is squeezed below 1", cosine, ""),
    ]


def _beyond(bound: float) -> str:
    return "" if math.isfinite(bound) else "`R²/γ²` is greater than any float64 number."


def _without_separator(sheet: Sheet, rounds: Sheet, made: Any, eta: str) -> list[Chart]:
    k = sheet.steps.astype(np.float64)
    R = novikoff.radius(made.problem.X, fit_intercept=made.problem.fit_intercept)
    norms = _from_zero(made.squared_norms, sheet.steps)
    return [
        rounds.chart(
            "bound",
            "Mistakes never end",
            [Line("mistakes made", "mistakes", rounds.steps.astype(np.float64))],
            "No separator exists, so there is no γ and no bound.",
        ),
        sheet.chart(
            "squares",
            f"`‖w_k‖²` stays under `kR²` all the same{eta}",
            [
                Line("`‖w_k‖²`", "norm", norms),
                Line("`kR²`", "bound", (made.eta0 * R) ** 2 * k),
            ],
            "The second inequality needs no separator. The first one does: there is no `w*`.",
        ),
    ]


def _places_to_draw(mistakes: int) -> NDArray[np.int64]:
    """Which k to draw: 0, the last, and all between or enough of them for the eye."""
    if mistakes < MOST_DRAWN:
        return np.arange(mistakes + 1)
    return np.unique(np.linspace(0, mistakes, MOST_DRAWN).round().astype(np.int64))


def _from_zero(values: Floats, steps: NDArray[np.int64]) -> Floats:
    """The values after these many mistakes; 0 before the first, and where there is none."""
    return np.asarray(np.nan_to_num(np.concatenate([[0.0], values]))[steps])


def _upwards(lines: list[Line]) -> tuple[Any, list[Tick]]:
    """From values to shares of the height: linear, or logarithmic where a bound is far away."""
    highest = max(float(line.values.max()) for line in lines) or 1.0
    lowest = min(0.0, *(float(line.values.min()) for line in lines))
    measured = max(
        float(line.values.max()) for line in lines if line.role not in ("bound", "floor", "limit")
    )
    if lowest < 0 or not measured > 0 or highest <= LOGARITHMIC_FROM * measured:
        top = highest * 1.06
        ticks = ticks_between(lowest, top, 5)
        span = top - lowest
        shown = [Tick(at=(tick.at - lowest) / span, text=tick.text) for tick in ticks]
        return lambda values: (values - lowest) / span, shown
    return _logarithmic(lines, highest)


def _logarithmic(lines: list[Line], highest: float) -> tuple[Any, list[Tick]]:
    positive = np.concatenate([line.values[line.values > 0] for line in lines])
    low, high = np.floor(np.log10(positive.min())), np.log10(highest) + 0.1

    def up(values: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.asarray(np.clip((np.log10(values) - low) / (high - low), 0.0, 1.0))

    powers = np.unique(np.linspace(low, np.floor(high), 6).round())
    ticks = [Tick(at=(p - low) / (high - low), text=f"{10.0**p:g}") for p in powers.tolist()]
    return up, ticks
