import numpy as np
import pytest
from tests.figures.reading import curve, named, overlapping_texts

from novikoff.errors import OptionError
from novikoff.figures import plot_convergence
from novikoff.figures.convergence import MOST_DRAWN

NORMS = [2.0, 3.0, 5.0, 6.0]
ALIGNMENTS = [0.9, 1.6, 2.2, 2.4]
GAMMA, R = 0.5, 1.5


def test_every_quantity_stands_beside_its_bound() -> None:
    figure = plot_convergence(NORMS, ALIGNMENTS, GAMMA, R, rounds=[1, 4, 5, 9])
    mistakes, norm, alignment, cosine = figure.axes
    k = np.arange(1, 5)
    x, y = curve(mistakes, "mistakes made: 4")
    assert x.tolist() == [0, 1, 4, 5, 9]
    assert y.tolist() == [0, 1, 2, 3, 4]
    assert set(curve(mistakes, "bound R²/γ² by ŵ*: 9 (augmented γ 0.5)")[1]) == {9}
    assert curve(norm, "‖ŵₖ‖²")[1].tolist() == NORMS
    assert curve(norm, "bound kR²")[1] == pytest.approx(k * 2.25)
    assert curve(alignment, "ŵ*·ŵₖ")[1].tolist() == ALIGNMENTS
    assert curve(alignment, "bound kγ, augmented γ 0.5")[1] == pytest.approx(k * 0.5)
    expected = np.divide(ALIGNMENTS, np.sqrt(NORMS))
    assert curve(cosine, "cosine of ŵₖ and ŵ*")[1] == pytest.approx(expected)
    assert curve(cosine, "bound √k·γ/R")[1] == pytest.approx(np.sqrt(k) / 3)
    assert set(curve(cosine, "limit 1")[1]) == {1}
    assert overlapping_texts(figure) == []


def test_eta_is_divided_out() -> None:
    figure = plot_convergence(np.array(NORMS) * 4, np.array(ALIGNMENTS) * 2, GAMMA, R, eta0=2)
    assert curve(figure.axes[1], "‖ŵₖ‖²")[1].tolist() == NORMS
    assert curve(figure.axes[2], "ŵ*·ŵₖ")[1].tolist() == ALIGNMENTS


def test_a_long_run_is_thinned_and_keeps_its_ends() -> None:
    count = 10 * MOST_DRAWN
    k = np.arange(1.0, count + 1)
    figure = plot_convergence(k, k / 10, 0.05, 2.0)
    x, _ = curve(figure.axes[1], "‖ŵₖ‖²")
    assert len(x) <= MOST_DRAWN
    assert (x[0], x[-1]) == (1, count)
    assert "mistakes made: 20,000" in named(figure.axes[0])


def test_a_far_away_bound_is_shown_on_a_log_scale() -> None:
    figure = plot_convergence(NORMS, ALIGNMENTS, 0.001, R)
    ax = figure.axes[0]
    assert ax.get_yscale() == "log"
    assert ax.get_ylim()[1] > (R / 0.001) ** 2


@pytest.mark.parametrize(
    ("change", "message"),
    [({"gamma": 0.0}, "gamma"), ({"eta0": 0.0}, "eta0"), ({"squared_norms": []}, "no mistakes")],
)
def test_what_cannot_be_drawn_is_an_error(change: dict[str, object], message: str) -> None:
    options = {"squared_norms": NORMS, "alignments": ALIGNMENTS, "gamma": GAMMA, "R": R} | change
    with pytest.raises(OptionError, match=message):
        plot_convergence(**options)  # type: ignore[arg-type]
