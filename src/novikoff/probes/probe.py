"""`novikoff.probe`: is each of many concepts linearly decodable, and does it mean anything?

labels      concepts and their shuffled controls, the same for every layer
settle      verdicts, margins and errors, all labellings of one X together, proven
held out    an averaged perceptron for each, tested on rows that it has not seen
results     a row for each concept: verdict, controls, selectivity, Cover's number, a sentence
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.options import check_flag, choice
from novikoff.core.progress import Clock, Deadline, OutOfTime, start_deadline
from novikoff.errors import DeviceError, LabelError, OptionError
from novikoff.matrix.batches import refuse_batches
from novikoff.probes.devices import (
    CPU,
    Device,
    DeviceName,
    choose_device,
    device_error,
    gpu_array,
    host_array,
    on_gpu,
)
from novikoff.probes.held_out import HeldOut, held_out_scores, split
from novikoff.probes.labels import (
    Concept,
    Control,
    ProbePoints,
    Shuffle,
    concepts_of,
    control_signs,
    groups_of,
)
from novikoff.probes.layers import Layer, check_new_name, check_same_rows, layers_of
from novikoff.probes.results import Probe, Probes
from novikoff.probes.settle import Settled, decide_labellings, recheck

Recheck = Literal["sample", "all"]
TENSOR_WITHOUT_CUPY = (
    "X is on a GPU, but there is no CuPy to use it there: pip install 'novikoff[cuda]'. "
    "The CPU was used instead."
)
SAMPLE = 8  # proofs of the GPU that are repeated on the CPU


class ProbePlan(NamedTuple):
    """What is asked of every layer: all labellings side by side, and the split of the rows.

    Labelling j·(1 + controls) is concept j, and its controls follow it.
    """

    concepts: list[Concept]
    shuffles: list[Shuffle]
    controls: int
    Y: NDArray[np.int8]
    rows: tuple[NDArray[np.intp], NDArray[np.intp]]
    groups: NDArray[np.intp] | None

    def n_apart(self, shuffle: Shuffle) -> float:
        """How many of the test rows have labels of their own: of groups, as if of one size."""
        test = self.rows[1]
        if self.groups is None or shuffle != "whole groups":
            return float(len(test))
        sizes = np.bincount(self.groups[test]).astype(np.float64)
        return float(sizes.sum() ** 2 / (sizes**2).sum())


def probe(
    X: Any,
    Y: Any = None,
    *,
    names: Sequence[str] | None = None,
    groups: Any = None,
    controls: int = 5,
    test: float = 0.25,
    device: DeviceName = "auto",
    recheck: Recheck = "sample",
    time_limit: float | None = None,
    progress: bool = True,
    random_state: int | None = None,
) -> Probes:
    """Whether each concept is linearly separable in X, with what margin, and against what chance.

    Every verdict is proven and has a certificate that `novikoff.verify` accepts. Beside it stand
    the same verdict on shuffled labels, held-out accuracies of both, and Cover's number.

    Parameters
    ----------
    X : array-like of shape (n, d), mapping or iterable of such
        Activations: NumPy, CuPy, torch or JAX, float16, float32 or float64, used as they are.
        A mapping, an iterable of arrays or of (name, array) pairs, or a 3-D array are layers.
        What an iterator gives is let go before it is asked for the next.
    Y : array-like of shape (n,) or (n, concepts), DataFrame or mapping
        A column of labels for each concept. Columns of more than two labels are taken one label
        against the rest.
    names : sequence of str, optional
        Names of the columns of `Y`, where it brings none.
    groups : array-like of shape (n,), optional
        Which rows belong together (the tokens of a prompt): a group is held out as a whole, and
        controls are permuted within groups.
    controls : int, default=5
        How many shuffled labellings each concept is compared with.
    test : float, default=0.25
        The share of the rows, or of the groups, that is held out.
    device : {"auto", "cpu", "cuda"}, default="auto"
        Where to compute: "auto" is a GPU that CuPy finds, else the CPU.
    recheck : {"sample", "all"}, default="sample"
        How many proofs of a GPU are repeated on the CPU.
    time_limit : float, optional
        Seconds after which what is left is undecided.
    progress : bool, default=True
        Whether to show on standard error how far it is.
    random_state : int, optional
        Seed of the split and of the controls.

    Returns
    -------
    Probes
        A row for each concept (and layer).

    Examples
    --------
    >>> import numpy as np, novikoff
    >>> X = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)
    >>> Y = {"first is positive": X[:, 0] > 0, "noise": np.arange(60) % 7 < 3}
    >>> probes = novikoff.probe(X, Y, random_state=0, progress=False)
    >>> [probe.verdict for probe in probes]
    ['separable', 'overlapping']
    """
    choice("recheck", recheck, ("sample", "all"))
    check_flag("progress", progress)
    refuse_batches(X, "probe", "it asks many questions of the same rows, which stay in memory")
    if Y is None:
        raise LabelError("probe needs Y: a column of labels for each concept.")
    plan = _plan(Y, names, groups, controls, test, random_state)
    chosen, note = choose_device(device)
    work = Work(plan, chosen, device, recheck, Clock())
    notes = [] if note is None else [note]
    rows: list[Probe] = []
    seen: set[str | None] = set()
    with start_deadline(progress, time_limit) as deadline, np.errstate(all="ignore"):
        for layer in layers_of(X):
            check_new_name(layer.name, seen)
            rows += work.probes(layer, deadline, notes)
            del layer  # before the next one is made, so that two are never in memory
    notes = list(dict.fromkeys(notes))
    return Probes(tuple(rows), work.device.name, tuple(notes), work.clock.seconds)


def _plan(
    Y: Any,
    names: Sequence[str] | None,
    groups: Any,
    controls: int,
    test: float,
    random_state: int | None,
) -> ProbePlan:
    if isinstance(controls, bool) or not isinstance(controls, (int, np.integer)) or controls < 0:
        raise OptionError(f"controls must be a whole number of at least 0; got {controls!r}.")
    concepts = concepts_of(Y, names)
    n = len(concepts[0].signs)
    try:
        rng = np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise OptionError(f"random_state: {error}.") from error
    of_rows = groups_of(groups, n)
    rows = split(n, of_rows, test, rng)
    columns, shuffles = [], []
    for concept in concepts:
        shuffled, shuffle = control_signs(concept.signs, of_rows, int(controls), rng)
        columns.append(np.column_stack([concept.signs, shuffled]))
        shuffles.append(shuffle)
    return ProbePlan(concepts, shuffles, int(controls), np.hstack(columns), rows, of_rows)


@dataclass
class Work:
    """The plan and the device, for layer after layer; the CPU after the GPU has failed."""

    plan: ProbePlan
    device: Device
    wanted: DeviceName
    recheck: Recheck
    clock: Clock

    def probes(self, layer: Layer, deadline: Deadline, notes: list[str]) -> list[Probe]:
        """The rows of one layer."""
        said = deadline if layer.name is None else _named(deadline, layer.name)
        if self.device is not CPU:
            try:
                return self._on(self.device, layer, said, notes)
            except Exception as error:
                failure = device_error(error)
                if failure is None:
                    raise
                if self.wanted == "cuda":
                    raise failure from error
                notes.append(f"{failure} The CPU was used instead.")
                self.device = CPU
        return self._on(CPU, layer, said, notes)

    def _on(
        self, device: Device, layer: Layer, deadline: Deadline, notes: list[str]
    ) -> list[Probe]:
        n = len(self.plan.Y)
        if device is CPU and self.wanted == "auto" and on_gpu(layer.X) and not notes:
            notes.append(TENSOR_WITHOUT_CUPY)
        if device is not CPU and on_gpu(layer.X):
            X = gpu_array(layer.X, device)
            host = _once(lambda: host_array(layer.X))
        else:
            matrix = host_array(layer.X)
            X, host = device.points(matrix), lambda: matrix
        check_same_rows(layer, int(X.shape[0]), n)
        settled = decide_labellings(X, self.plan.Y, device, deadline, host, self.clock)
        if device is not CPU:
            count = None if self.recheck == "all" else SAMPLE
            with self.clock.time("proofs repeated on the CPU"):
                wrong = recheck(host(), self.plan.Y, settled, count)
            if wrong:
                raise DeviceError(
                    f"{wrong} proofs of the GPU do not hold on the CPU: do not trust this GPU. "
                    "Use device='cpu'."
                )
        try:
            with self.clock.time("held out"):
                scores = held_out_scores(X, self.plan.Y, self.plan.rows, device, deadline)
        except OutOfTime:
            nothing = np.full(self.plan.Y.shape[1], np.nan)
            scores = HeldOut(nothing, nothing)
        points = ProbePoints(
            shape=(int(X.shape[0]), int(X.shape[1])),
            columns=settled.columns,
            dimension=settled.dimension,
            dimension_is_proven=settled.dimension_is_proven,
            X=layer.X if layer.is_kept else None,
        )
        return list(self._rows(layer, settled, scores, points))

    def _rows(
        self, layer: Layer, settled: Settled, scores: HeldOut, points: ProbePoints
    ) -> list[Probe]:
        plan = self.plan
        width = 1 + plan.controls
        rows = []
        for j, concept in enumerate(plan.concepts):

            def common(at: int) -> dict[str, Any]:
                return {
                    "labels": plan.Y[:, at],
                    "accuracy": float(scores.accuracy[at]),
                    "auc": float(scores.auc[at]),
                    "outcome": settled.outcomes[at],
                    "points": points,
                }

            first = j * width
            rows.append(
                Probe(
                    **common(first),
                    classes=concept.classes,
                    name=concept.name,
                    layer=layer.name,
                    n_test=len(plan.rows[1]),
                    n_apart=plan.n_apart(plan.shuffles[j]),
                    shuffle=plan.shuffles[j],
                    controls=tuple(Control(**common(at)) for at in range(first + 1, first + width)),
                )
            )
        return rows


def _once(make: Callable[[], Any]) -> Callable[[], Any]:
    """`make`, called when it is first asked and not again."""
    made: list[Any] = []

    def get() -> Any:
        if not made:
            made.append(make())
        return made[0]

    return get


def _named(deadline: Deadline, layer: str) -> Deadline:
    """The deadline for one layer: its stages name the layer."""
    return deadline.within(f"layer {layer}")
