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
    page.sees("#panel-step li", "w ←w +η·y·x =(0,0) +1·(+1)·(1,1) =(1,1).")
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


def test_one_line_and_one_arrow_while_it_plays(either):
    page = either()
    page["#scrub"].fill("17")
    page.sees("#panel-step h3", "Mistake 17")
    others = "#plot .old-line, #compass .needle-old, #compass .needle-step"
    page.count(others, 3)
    page["#speed"].fill("0")
    page.page.click("#play")
    for at in range(3):
        expect(page[others].nth(at)).to_be_hidden()
    expect(page["#plot .new-line"]).to_be_visible()
    page.page.click("#play")
    expect(page["#plot .old-line"]).to_be_visible()


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
    page.sees("#panel-proof figcaption", "Mistakes stay under R2/γ2")
    page.sees("#panel-proof .legend", "R2/γ2=51")
    chart = page["svg[data-key=lengths]"]
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    page.page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
    expect(page["#position"]).to_have_text(re.compile(r"^(8|9|10) / 18$"))
    page.sees("#panel-proof .readout", "‖wk‖ =")
    chart.focus()
    page.page.keyboard.press("ArrowRight")
    expect(page["#position"]).to_have_text(re.compile(r"^(9|10|11) / 18$"))
    page["#panel-proof input[value=squares]"].check(force=True)
    page.sees("#panel-proof figcaption", "‖wk‖2 stays under kR2")


def test_the_cycle_is_said_shown_and_left_behind(page):
    page.choose("xor", "overlapping")
    page.sees("#cycle", "It cycles: after mistake 4 the weights are those after mistake 0 again")
    page.sees("#cycle", "Σciyix̂i=0")
    page["#speed"].fill("4")
    page.page.click("#show-cycle")
    page.page.wait_for_timeout(900)  # more than one turn
    expect(page["#play"]).to_have_text("Pause")
    page.page.click("#play")
    page["#cycle"].get_by_role("button", name="pocket").click()
    page.sees("#panel-beyond table", "pocket")
    page.choose("and", "separable")
    expect(page["#cycle"]).to_be_hidden()


# The line of w in every frame after one mistake more, and whether the mistake pulled.
WATCHED = """async () => {
  const [seen, pulled] = [new Set(), []];
  const watch = new MutationObserver(() => pulled.push(...document.querySelectorAll(".pull")));
  watch.observe(document.getElementById("plot"), { childList: true, subtree: true });
  document.getElementById("forward").click();
  for (let still = 0, last = null; still < 20;) {
    await new Promise(requestAnimationFrame);
    const now = document.querySelector(".new-line")?.getAttribute("d");
    still = now === last ? still + 1 : 0;
    seen.add(last = now);
  }
  watch.disconnect();
  const left = document.querySelectorAll(".pull").length;
  return { lines: seen.size, pulled: pulled.length > 0, left };
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_line_glides_and_mistakes_pull_unless_less_motion_is_asked_for(either, motion):
    page = either(reduced_motion=motion)
    page["#scrub"].fill("3")
    page.sees("#panel-step h3", "Mistake 3")
    moved = page.page.evaluate(WATCHED)
    page.sees("#panel-step h3", "Mistake 4")
    if motion == "reduce":
        assert moved == {"lines": 1, "pulled": False, "left": 0}
    else:
        assert moved["lines"] > 3
        assert (moved["pulled"], moved["left"]) == (True, 0)


@pytest.mark.parametrize(("motion", "passed"), [("no-preference", True), ("reduce", False)])
def test_a_ring_passes_over_the_examples_that_are_right(either, motion, passed):
    page = either(reduced_motion=motion)
    page.page.evaluate(
        """() => {
          window.passed = new Set();
          new MutationObserver(() => document.querySelectorAll(".looked").forEach(
            (ring) => window.passed.add(ring.getAttribute("cx") + ring.getAttribute("cy"))))
            .observe(document.getElementById("plot"), { childList: true });
        }"""
    )
    page["#speed"].fill("4")
    page.page.click("#play")
    expect(page["#position"]).to_have_text("18 / 18")
    assert (page.page.evaluate("window.passed.size") >= 2) is passed


COLOURS = """(places) => Object.fromEntries(Object.entries(places).map(([place, property]) =>
  [place, getComputedStyle(document.querySelector(place))[property]]))"""


def test_a_symbol_has_one_colour_in_text_formula_and_drawing(either):
    page = either()
    page.page.click("#last")
    page.sees("#panel-step h3", "Mistake 18")
    places = {"#panel-step math .sym.w": "color", "#plot .new-line": "stroke"}
    assert (
        len(set(page.page.evaluate(COLOURS, {**places, "#legend .sym.w": "color"}).values())) == 1
    )
    page.tab("proof")
    page["#panel-proof input[value=squares]"].check(force=True)
    chart = "#panel-proof .curve"
    drawn = {"norm": "w", "alignment": "w-star", "floor": "gamma", "bound": "radius"}
    found = {
        role: set(
            page.page.evaluate(
                COLOURS, {f"{chart}.{role}": "stroke", f"#panel-proof .sym.{symbol}": "color"}
            ).values()
        )
        for role, symbol in drawn.items()
    }
    assert [len(colours) for colours in found.values()] == [1, 1, 1, 1]
    assert len(set.union(*found.values())) == 4


def test_formulas_are_typeset(either):
    page = either()
    page.page.click("#last")
    for name in ("step", "proof", "try"):
        page.tab(name)
        if name == "try":
            page.page.click("#try-network")
            page.page.wait_for_selector("#try-title")
        assert page[f"#panel-{name} math"].count() > 2
        assert not set("_`²") & set(page[f"#panel-{name}"].inner_text())
