"""The pictures of docs/theory.md: python docs/images/theory.py makes them anew."""

from pathlib import Path

import novikoff
from novikoff import figures

HERE = Path(__file__).parent
GATE = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]


def main() -> None:
    """Draw all of them."""
    toy = novikoff.load_dataset("toy")
    figures.save(
        figures.plot_update(toy.X, toy.y, 5, [2.0, 1.0], 1.0, names=("x1", "x2")),
        HERE / "theory-update.png",
    )
    verdict = novikoff.separate(GATE, [0, 0, 0, 1], names=("x1", "x2"))
    run = novikoff.trace(GATE, [0, 0, 0, 1], separator=verdict)
    figures.save(figures.plot_trace(run), HERE / "theory-inequalities.png")
    xor = novikoff.separate(GATE, [0, 1, 1, 0], names=("x1", "x2"))
    figures.save(figures.plot_verdict(xor), HERE / "theory-xor.png")


if __name__ == "__main__":
    main()
