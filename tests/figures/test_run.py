from pathlib import Path

import numpy as np
import pytest
from matplotlib.animation import FFMpegWriter, PillowWriter
from PIL import Image
from tests.figures.reading import legend

import novikoff
from novikoff.errors import MissingDependencyError, OptionError
from novikoff.figures import animate_run
from novikoff.figures import run as run_figure
from novikoff.figures.points import PlotPoints
from novikoff.figures.run import Replay, frames_of
from novikoff.learners.theory.bounds import misclassified

pytestmark = pytest.mark.slow

X = np.array([[2.0, 1.0], [1.0, 2.0], [-1.0, 1.0], [1.0, -3.0]])
Y = np.array([1, 1, -1, -1])


def test_the_replay_adds_up_the_mistakes() -> None:
    replay = Replay.of(PlotPoints.of(X, Y), [0, 2, 1], eta0=0.5)
    assert [(w.tolist(), b) for w, b in map(replay.weights_after, range(4))] == [
        ([0, 0], 0),
        ([1, 0.5], 0.5),
        ([1.5, 0], 0),
        ([2, 1], 0.5),
    ]
    assert Replay.of(PlotPoints.of(X, Y), [0], fit_intercept=False).weights_after(1)[1] == 0


@pytest.mark.parametrize("d", [1, 2, 4])
def test_a_gif_has_a_frame_for_the_start_and_each_mistake(d: int, tmp_path: Path) -> None:
    wide = np.hstack([X, X**2])[:, :d]
    path = animate_run(tmp_path / "run.gif", wide, Y, [0, 2, 1])
    with Image.open(path) as image:
        assert image.format == "GIF"
        assert image.n_frames == 4  # the start, and three mistakes
    assert [p.name for p in tmp_path.iterdir()] == ["run.gif"]


def test_long_runs_are_shown_dense_at_the_start_and_to_the_end() -> None:
    assert frames_of(3, 60) == [1, 2, 3]
    shown = frames_of(10_000_000, 40)
    assert len(shown) <= 40
    assert shown[:3] == [1, 2, 3]
    assert shown[-1] == 10_000_000
    assert shown == sorted(set(shown))


def test_no_mistakes_and_no_frames_are_errors(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no mistakes"):
        animate_run(tmp_path / "run.gif", X, Y, [])
    with pytest.raises(OptionError, match="at least 1"):
        animate_run(tmp_path / "run.gif", X, Y, [1], frames=0)
    with pytest.raises(OptionError, match=r"\.gif"):
        animate_run(tmp_path / "run.avi", X, Y, [1])
    assert list(tmp_path.iterdir()) == []


def test_an_mp4_needs_ffmpeg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FFMpegWriter, "isAvailable", lambda: False)
    with pytest.raises(MissingDependencyError, match="ffmpeg"):
        animate_run(tmp_path / "run.mp4", X, Y, [1])


@pytest.mark.parametrize(("tie", "wrong"), [("mistake", [0, 1]), ("+1", [0]), ("-1", [1])])
def test_rows_wrong_are_counted_by_the_tie_rule_of_the_run(tie, wrong, tmp_path, monkeypatch):
    """The same as the learner counts: at score 0 the tie rule decides, and nobody else does."""
    X, y = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [-1.0, 0.0]]), np.array([-1, 1, 1, -1])
    run = novikoff.trace(X, y, tie=tie, fit_intercept=False, max_iter=3)
    titles = []
    monkeypatch.setattr(run_figure, "title", lambda _, text: titles.append(text))
    novikoff.figures.animate_trace(tmp_path / "run.gif", run)
    (w, b), k = run.weights_after(run.n_mistakes), run.n_mistakes
    separator = (np.array([1.0, 0.0]), 0.0)
    assert misclassified(separator, X, y, tie=tie).tolist() == wrong
    shown = int(titles[-1].split("; ")[1].split(" ")[0])
    assert shown == len(misclassified((w, b), X, y, tie=tie))
    assert shown / len(X) == novikoff.training_error((w, b), X, y, tie=tie)
    assert titles[-1].startswith(f"mistake {k:,} of {k:,}")


def test_the_start_and_weights_of_zero_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    legends: list[list[str]] = []

    def remember(writer: PillowWriter, **_: object) -> None:
        (ax,) = writer.fig.axes
        said.append(ax.get_title())
        legends.append(legend(ax))

    monkeypatch.setattr(PillowWriter, "grab_frame", remember)
    monkeypatch.setattr(
        PillowWriter, "finish", lambda writer: Path(writer.outfile).write_bytes(b";")
    )
    twins = np.array([[1.0, 1.0], [1.0, 1.0]])
    animate_run(tmp_path / "run.gif", twins, np.array([1, -1]), [0, 1])
    assert list(dict.fromkeys(said)) == [
        "the start: w = 0 and b = 0, so there is no line yet and every score is 0",
        "mistake 1 of 2: row 0; 1 row is wrong now; the line is outside",
        "mistake 2 of 2: row 1; 2 rows are wrong now; w = 0: no line",
    ]
    assert "hyperplane before the mistake" in legends[0]
    legends.clear()
    animate_run(tmp_path / "one.gif", twins, np.array([1, -1]), [0])
    assert "hyperplane before the mistake" not in legends[0]


def test_the_legend_lists_what_a_frame_holds(tmp_path: Path, monkeypatch) -> None:
    listed = []

    def grab(writer, **_options):
        texts = writer.fig.axes[0].get_legend().get_texts()
        listed.append([text.get_text() for text in texts if text.get_visible()])

    monkeypatch.setattr(PillowWriter, "grab_frame", grab)
    monkeypatch.setattr(PillowWriter, "finish", lambda writer: Path(writer.outfile).touch())
    monkeypatch.setattr(run_figure, "_sign", lambda _: None)
    animate_run(tmp_path / "run.gif", X, Y, [0, 2, 1])
    classes, lines = ["class −1", "class +1"], [run_figure.BEFORE, run_figure.AFTER]
    assert listed[0] == classes
    assert listed[run_figure.HELD] == [*classes, run_figure.AFTER, "the mistake", "wrong now"]
    assert listed[-1] == [*classes, *lines, "the mistake"]
