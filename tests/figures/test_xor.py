import numpy as np
from tests.figures.reading import legend, line, on_line, overlapping_texts, words

from novikoff.figures import plot_xor
from novikoff.figures.textbook import XOR


def test_each_line_is_wrong_about_what_its_label_says() -> None:
    left, _ = plot_xor().axes
    X, y = XOR
    attempts = [text for text in legend(left) if text.startswith("wrong about")]
    assert len(attempts) == 3
    for text in attempts:
        p, q = on_line(line(left, text))
        normal = np.array([-(q - p)[1], (q - p)[0]])
        sides = np.sign((X - p) @ normal)
        named = [f"({a:.0f},{b:.0f})" in text for a, b in X]
        wrong = [(sides != sign * y).tolist() for sign in (-1, 1)]
        assert named in wrong
        assert any(named)


def test_the_contradiction_is_written_out() -> None:
    figure = plot_xor()
    text = words(figure)
    for part in ("w_2 + b > 0", "w_1 + b > 0", "w_1 + w_2 + b < 0", "w_1 + w_2 + 2b"):
        assert part in text
    assert overlapping_texts(figure) == []
