"""The run, the proof beside it, the cycle: played, stepped, scrubbed and hovered."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def test_stepping_shows_the_update_in_numbers(page):
    page.choose("and", "separable")
    expect(page["#position"]).to_have_text("0 / 18")
    page.page.click("#forward")
    page.page.click("#forward")
    page.sees("#panel-step h3", "Mistake 2 of 18")
    page.sees("#panel-step li", "w ← w + η·y·x = (0, 0) + 1·(+1)·(1, 1) = (1, 1).")
    page.count("#plot .mistake", 1)
    page.count("#plot .new-line", 1)
    page.page.click("#forward")
    page.sees("#panel-step h3", "Mistake 3")
    page.count("#plot .old-line", 1)
    expect(page["#compass"]).to_be_visible()
    page.page.click("#back")
    page.sees("#panel-step h3", "Mistake 2")
    page.page.keyboard.press(".")
    page.sees("#panel-step h3", "Mistake 3")
    page.page.keyboard.press(",")
    page.sees("#panel-step h3", "Mistake 2")


def test_scrubbing_and_the_ends(page):
    page.choose("or", "separable")
    page["#scrub"].fill("5")
    page.sees("#panel-step h3", "Mistake 5")
    page.page.click("#last")
    page.sees("#panel-step", "Now all 4 points are right.")
    page.page.click("#first")
    page.sees("#panel-step h3", "The start")


def test_playing_runs_to_the_end(page):
    page.choose("or", "separable")
    page["#speed"].fill("4")
    page.page.click("#play")
    expect(page["#play"]).to_have_text("Pause")
    expect(page["#position"]).to_have_text("9 / 9")
    expect(page["#play"]).to_have_text("Play")


def test_a_long_run_is_fetched_in_pieces(page):
    page.choose("moons", "overlapping")
    expect(page["#position"]).to_have_text(re.compile(r"^0 / \d{3,}$"))
    page["#scrub"].fill("200")
    page.sees("#panel-step h3", "Mistake 200")
    page["#scrub"].fill("3")
    page.sees("#panel-step h3", "Mistake 3 of")


def test_options_change_the_run(page):
    page.choose("and", "separable")
    expect(page["#position"]).to_have_text("0 / 18")
    page.page.click(".options-holder summary")
    page.page.select_option("#tie", "+1")
    expect(page["#position"]).not_to_have_text("0 / 18")
    page.page.select_option("#order", "worst")
    page["#eta0"].fill("0.5")
    page["#eta0"].press("Enter")
    page.page.click("#forward")
    page.sees("#panel-step li", "0.5·(−1)")
    page["#fit_intercept"].uncheck()
    page.sees("#verdict .word", "overlapping")
    page.look("verdict")
    page.count("#plot .hull.mirrored", 1)
    page["#eta0"].fill("-3")
    page["#eta0"].press("Enter")
    expect(page["#eta0"]).to_have_value("0.5")  # what cannot be is not taken


def test_the_proof_moves_with_the_pointer(page):
    page.choose("and", "separable")
    page.tab("proof")
    page.count("#panel-proof figure", 3)
    page.sees("#panel-proof figcaption", "Mistakes stay under R²/γ²")
    page.sees("#panel-proof .legend", "R²/γ² = 51")
    chart = page["svg[data-key=squares]"]
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    page.page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
    expect(page["#position"]).to_have_text(re.compile(r"^(8|9|10) / 18$"))
    page.sees("#panel-proof .readout", "kR²")
    chart.focus()
    page.page.keyboard.press("ArrowRight")
    expect(page["#position"]).to_have_text(re.compile(r"^(9|10|11) / 18$"))
    page["#panel-proof input[value=lengths]"].check(force=True)
    page.sees("#panel-proof figcaption", "as lengths")


def test_the_cycle_is_said_shown_and_left_behind(page):
    page.choose("xor", "overlapping")
    page.sees("#cycle", "It cycles: after mistake 4 the weights are those after mistake 0 again")
    page.sees("#cycle", "Σ cᵢyᵢx̂ᵢ = 0")
    page["#speed"].fill("4")
    page.page.click("#show-cycle")
    page.page.wait_for_timeout(900)  # more than one turn
    expect(page["#play"]).to_have_text("Pause")
    page.page.click("#play")
    page["#cycle"].get_by_role("button", name="pocket").click()
    page.sees("#panel-beyond table", "pocket")
    page.choose("and", "separable")
    expect(page["#cycle"]).to_be_hidden()
