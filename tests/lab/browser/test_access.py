"""For everybody: the keyboard alone, dark mode, a phone, a projector; axe-core finds nothing."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

SCREENS = {
    "desk": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "projector": {"viewport": {"width": 1920, "height": 1080}},
}


def violations(visit):
    found = Axe().run(visit.page).response["violations"]
    return [(v["id"], [node["html"][:120] for node in v["nodes"]]) for v in found]


# Each screen once, on a server or without: the page is the same.
@pytest.mark.parametrize(
    ("where", "screen"), [*zip(["open_page", "open_file"] * 2, SCREENS, strict=True)]
)
def test_axe_finds_nothing(where, screen, request):
    visit = request.getfixturevalue(where)(bypass_csp=True, **SCREENS[screen])
    visit.choose("xor", "overlapping")
    visit.page.click("#forward")
    visit.sees("#panel-step h3", "Mistake 1")
    assert violations(visit) == []
    visit.beyond("network")
    visit.sees(".beyond-output", "textbook's network")
    assert violations(visit) == []
    visit.choose("and", "separable")
    visit.tab("proof")
    visit.page.click("#last")
    visit.sees(".readout", "k = 18")
    assert violations(visit) == []
    visit.tab("data")
    assert violations(visit) == []
    visit.tab("try")
    visit.page.click("#try-network")
    visit.page.wait_for_selector("#try-title")
    assert violations(visit) == []
    for opened in ("link", "help"):
        visit.page.click(f"#{opened}")
        assert violations(visit) == []
        visit.page.keyboard.press("Escape")
    visit.page.click("#start-tour")
    expect(visit["#tour"]).to_have_attribute("aria-busy", "false")
    assert violations(visit) == []
    if visit["#present"].is_visible():
        visit.page.click("#tour button >> text=End")
        visit.page.click("#present")
        assert violations(visit) == []


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_is_wider_than_the_screen(open_page, screen):
    visit = open_page(**SCREENS[screen])
    visit.choose("xor", "overlapping")
    for name in ("step", "proof", "data", "beyond"):
        visit.tab(name)
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert visit.page.evaluate(wide) <= 0, name


def test_dark_and_light(open_page):
    visit = open_page(color_scheme="dark")
    page_colour = "getComputedStyle(document.body).backgroundColor"
    dark = visit.page.evaluate(page_colour)
    visit.page.click("#theme")
    assert visit.page.evaluate(page_colour) != dark
    visit.page.reload()
    visit.page.wait_for_selector("body[data-ready]")
    assert visit.page.evaluate(page_colour) != dark  # it is kept


def test_a_finger_adds_and_moves(open_page):
    visit = open_page(**SCREENS["phone"])
    visit.choose("and", "separable")
    visit.page.touchscreen.tap(*visit.at(0.5, 0.5))
    visit.count("#plot .points .mark", 5)
    visit.sees("#badge", "touching")


def test_the_keyboard_is_enough(page):
    page.choose("and", "separable")
    page["#plot"].focus()
    press = page.page.keyboard.press
    press("ArrowRight")
    page.count("#plot .cursor", 1)
    for _ in range(3):
        press("Shift+ArrowUp")
    press("+")
    page.count("#plot .points .mark", 5)
    press("-")
    page.count("#plot .points .mark", 6)
    press("n")
    page.count("#plot .selected", 1)
    expect(page["#plot-said"]).to_contain_text("row 0 at 0, 0")
    press("ArrowLeft")
    expect(page["#plot-said"]).to_contain_text("row 0 at -0.0")
    press("Delete")
    page.count("#plot .points .mark", 5)
    press("Escape")
    page.count("#plot .cursor", 0)
    page["#tab-step"].focus()
    press("ArrowRight")
    expect(page["#tab-proof"]).to_be_focused()
    expect(page["#panel-proof"]).to_be_visible()
    press("?")
    expect(page["#help-dialog"]).to_be_visible()
    press("Escape")
    expect(page["#help-dialog"]).to_be_hidden()


def test_everything_can_be_reached_with_tab(page):
    page.page.click(".options-holder summary")
    page["h1"].click()
    reached = set()
    for _ in range(60):
        page.page.keyboard.press("Tab")
        reached.add(page.page.evaluate("document.activeElement.id || document.activeElement.name"))
    assert {
        "preset",
        "undo",
        "open",
        "start-tour",
        "plot",
        "play",
        "scrub",
        "tie",
        "pen",
    } <= reached


def test_foreign_scripts_cannot_run(page):
    """The policy holds: neither an inline script nor HTML from a string."""
    page.page.evaluate(
        """() => {
          const script = document.createElement("script");
          try { script.textContent = "window.hacked = 1"; document.body.append(script); } catch {}
          try { document.body.innerHTML = "<p>gone</p>"; } catch {}
        }"""
    )
    assert page.page.evaluate("window.hacked") is None
    expect(page["#plot"]).to_be_visible()
    assert page.complaints  # the browser said so
    page.complaints.clear()


def test_it_needs_nothing_from_elsewhere(open_page, lab):
    visit = open_page()
    asked = []
    visit.page.on("request", lambda request: asked.append(request.url))
    visit.page.reload()
    visit.page.wait_for_selector("body[data-ready]")
    assert asked
    assert all(url.startswith(lab.url) for url in asked)
