"""The questions that the engine answers, by their names."""

from collections.abc import Callable

from pydantic import BaseModel

from novikoff.lab.engine import presets, regions, runs, space, upload, verdict
from novikoff.lab.messages.presets import DEFAULT_MARGIN
from novikoff.lab.messages.requests import (
    CompareRequest,
    FewestErrorsRequest,
    LiftRequest,
    NetworkRequest,
    RegionsRequest,
    RunOptions,
    RunRequest,
    StepsRequest,
    VerdictRequest,
)

JOBS: dict[str, Callable[..., BaseModel]] = {
    "certificate": verdict.certificate,
    "columns": upload.columns,
    "compare": runs.compare,
    "fewest": verdict.fewest,
    "lift": regions.lift,
    "network": regions.network,
    "points": upload.points,
    "preset": presets.preset,
    "regions": regions.kernel_regions,
    "run": runs.run,
    "space": space.space,
    "steps": runs.steps,
    "verdict": verdict.verdict,
    "verify": verdict.verify,
}


def load_quick() -> None:
    """Load or compile what a verdict and a run need, before anybody waits for it."""
    for name in ("and", "xor", "touching"):
        points = presets.preset(name, DEFAULT_MARGIN).points
        verdict.verdict(VerdictRequest(points=points))
        for order in ("cyclic", "worst"):
            options = RunOptions(order=order, max_iter=20)
            runs.run(RunRequest(points=points, options=options))
            runs.steps(StepsRequest(points=points, options=options))


def load_all() -> None:
    """Load or compile what lies beyond, too."""
    load_quick()
    points = presets.preset("xor", DEFAULT_MARGIN).points
    runs.compare(CompareRequest(points=points))
    regions.kernel_regions(RegionsRequest(points=points))
    regions.lift(LiftRequest(points=points))
    regions.network(NetworkRequest(points=points))
    verdict.fewest(FewestErrorsRequest(points=points))
