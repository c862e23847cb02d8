"""The verdict on the page, its certificate, what lies beyond, and the tour."""

import json
import subprocess
import sys

import pytest
from playwright.sync_api import expect

import novikoff

pytestmark = pytest.mark.slow


def test_separable_has_its_band(page):
    page.choose("and", "separable")
    page.count("#plot .band", 1)
    page.count("#plot .ring", 3)
    page.sees("#verdict dt", "geometric margin")
    page.look("run")
    page.count("#plot .band", 0)


def test_touching_has_the_points_on_the_line(page):
    page.choose("touching", "touching")
    page.count("#plot .ring", 2)
    page.sees("#plot .alpha", "α = 1")
    page.sees("#verdict .why", "kept apart by touching only")


def test_overlapping_has_hulls_alpha_and_reasons(page):
    page.choose("xor", "overlapping")
    page.count("#plot .hull", 2)
    page.count("#plot .star", 1)
    page.count("#plot .alpha", 4)
    page.sees("#verdict .why", "The point (0.5, 0.5) lies in both hulls")
    page.sees("#verdict .why", "they add up to 0 > 0")


def test_the_certificate_downloads_and_is_verified(page, tmp_path):
    page.choose("xor", "overlapping")
    page.page.click("#verify-certificate")
    page.sees("#verified", "✓ Valid")
    with page.page.expect_download() as download:
        page.page.click("#download-certificate")
    proof = tmp_path / "certificate.json"
    download.value.save_as(proof)
    page.tab("data")
    with page.page.expect_download() as download:
        page.page.click("#download-csv")
    data = tmp_path / "points.csv"
    download.value.save_as(data)
    table = novikoff.read(data, label="class")
    assert novikoff.verify(proof, table.X, table.y).valid
    command = [sys.executable, "-m", "novikoff", "verify", str(proof), str(data)]
    done = subprocess.run([*command, "--label", "class"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    # Brought back and changed, the page finds the damage.
    page["#file"].set_input_files(proof)
    page.sees("#verified", "✓ Valid")
    fields = json.loads(proof.read_text())
    fields["alpha"][0] = "2"
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(fields))
    page["#file"].set_input_files(changed)
    page.sees("#verified", "✗ Not valid")


def test_pocket_and_averaged(page):
    page.choose("xor", "overlapping")
    page.beyond("compare")
    page.sees(".beyond-output", "the pocket has 1")
    page.count("#plot .contender.pocket", 1)
    page.count(".beyond-output tbody tr", 3)


def test_the_fewest_errors_where_the_package_can_tell(page):
    page.choose("xor", "overlapping")
    page.tab("beyond")
    if "fewest_errors" not in novikoff.__all__:
        page.count("#panel-beyond input[value=fewest]", 0)
        return
    page.beyond("fewest")
    page.sees(".beyond-output", "Why no hyperplane does better")
    page.count("#plot .given-up", 1)
    page[".beyond-output li button"].click()
    page.count("#plot .conflict", 4)


def test_kernels_and_lifts_are_regions(page):
    page.choose("xor", "overlapping")
    page.beyond("kernel")
    page.sees(".beyond-output", "RBF kernel")
    page.count("#plot .regions .plus", 1)
    page.page.select_option("#beyond-kernel", "poly")
    page.sees(".beyond-output", "polynomial of degree 2")
    page.beyond("lift")
    page.sees(".beyond-output td", "separable")
    page.count("#plot .regions .minus", 1)
    page.choose("touching", "touching")
    page.beyond("kernel")
    page.sees(".beyond-output .refused", "two columns, and these points have 1")


def test_xor_is_lifted_and_turned(page):
    page.choose("xor", "overlapping")
    page.beyond("space")
    page.count("svg.space .cut", 1)
    page.count("svg.space .mark", 4)
    before = page["svg.space .cut"].get_attribute("d")
    page["[data-turn=left]"].click()
    expect(page["svg.space .cut"]).not_to_have_attribute("d", before)
    turned = page["svg.space .cut"].get_attribute("d")
    page["svg.space"].scroll_into_view_if_needed()
    box = page["svg.space"].bounding_box()
    page.page.mouse.move(box["x"] + 200, box["y"] + 150)
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + 260, box["y"] + 170, steps=4)
    page.page.mouse.up()
    expect(page["svg.space .cut"]).not_to_have_attribute("d", turned)


def test_the_units_of_the_network_light_up(page):
    page.choose("xor", "overlapping")
    page.beyond("network")
    page.sees(".beyond-output", "The textbook's network for XOR: 0 of 4 points wrong.")
    page["button[data-row='3']"].click()  # (1, 1): both hidden units are active
    page.count(".network .unit.lit", 5)
    page.click_at(0, 0)  # a click on a point of the plot selects it
    page.count(".network .unit.lit", 3)
    page.count(".activations tbody tr", 4)
    page["#beyond-hidden"].fill("3")
    page["#beyond-hidden"].press("Enter")
    page.sees(".beyond-output", "Trained by scikit-learn")


# Of the thing that a step speaks of: the share that is in sight and not under the tour's card.
IN_SIGHT = """() => {
  const thing = [...document.querySelectorAll(".spoken-of")].find((node) => node.tagName === "svg");
  const tour = document.getElementById("tour");
  const [a, card] = [thing, tour].map((node) => node.getBoundingClientRect());
  const share = (l, r, t, b) => Math.max(0, Math.min(r, a.right) - Math.max(l, a.left))
    * Math.max(0, Math.min(b, a.bottom) - Math.max(t, a.top)) / (a.width * a.height);
  return share(0, innerWidth, 0, innerHeight) - share(card.left, card.right, card.top, card.bottom);
}"""


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (390, 844)])
def test_the_tour_covers_nothing_that_it_speaks_of(either, size):
    width, height = size
    page = either(viewport={"width": width, "height": height})
    page.page.click("#start-tour")
    for k in range(10):
        expect(page["#tour .note"]).to_have_text(f"{k + 1} of 10")
        expect(page["#tour"]).to_have_attribute("aria-busy", "false")
        page.page.wait_for_selector("svg.spoken-of")
        assert page.page.evaluate(IN_SIGHT) >= 0.9, f"step {k + 1}"
        page.page.click("#tour-next")


def test_it_opens_unsolved(either):
    page = either()
    page.sees("#verdict", "Can a line separate these? Drag a point, or press Play.")
    page.count("#verdict .word", 0)
    page.count("#plot :is(.band, .separator, .new-line, .cross)", 0)
    page["#speed"].fill("4")
    page.page.click("#play")
    expect(page["#position"]).to_have_text("18 / 18")
    page.sees("#verdict .word", "separable")
    page.count("#plot .new-line", 1)
    page.count("#plot :is(.band, .separator)", 0)  # one idea at a time


def test_one_margin_and_one_bound_for_a_run(either):
    page = either()
    page.choose("iris-setosa-versicolor", "separable")
    page.page.click("#last")
    page.sees("#panel-step .ending", "R2/γ2=410.2")
    assert "γ" not in page["#verdict"].inner_text()
    page.tab("proof")
    page.sees("#panel-proof .legend", "R2/γ2=410.2")
    page.page.click("#digits")
    page.sees("#panel-proof .legend", "R2/γ2=410.19")


def test_picture_and_words_argue_from_the_same_points(either):
    page = either()
    page.choose("iris-versicolor-virginica", "overlapping")
    page.sees("#verdict .why", "Row 20 (class 'versicolor') and row 76 (class 'virginica')")
    page.sees("#verdict dd", "2 rows: 20, 76")
    page.count("#plot .ring", 2)
    page.count("#plot .alpha", 2)


def test_what_lies_beyond_takes_the_place_of_the_run(either):
    page = either()
    page.choose("xor", "overlapping")
    page.page.click("#forward")
    page.count("#plot .cross", 2)
    page.beyond("network")
    page.count("#plot .regions", 1)
    page.count("#plot .cross", 0)
    page.look("run")
    page.count("#plot .regions", 0)


@pytest.mark.parametrize("height", [768, 1080])
def test_the_presenter_sees_larger_words_and_a_plot_as_high_as_the_screen(either, height):
    page = either(viewport={"width": height * 16 // 9, "height": height})
    size = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
    before = page.page.evaluate(size)
    page.page.click("#present")
    assert page.page.evaluate(size) >= 1.45 * before
    expect(page["#options"]).to_be_hidden()
    assert page["#plot"].bounding_box()["height"] > 0.6 * height
    play = page["#play"].bounding_box()
    assert play["y"] + play["height"] < height  # nothing has to be scrolled for it


def test_the_tour_has_ten_steps(page):
    page.page.click("#start-tour")
    seen = []
    signs = ["OR", None, None, "margin", "kγ", "51", "hulls", "It cycles", "plane", "network"]
    for k, sign in enumerate(signs):
        expect(page["#tour .note"]).to_have_text(f"{k + 1} of 10")
        expect(page["#tour h2"]).to_be_focused()
        seen.append(page["#tour h2"].inner_text())
        expect(page["#tour"]).to_have_attribute("aria-busy", "false")
        if sign in ("hulls", "It cycles", "plane", "network"):
            where = {"hulls": "#legend", "It cycles": "#cycle"}.get(sign, ".beyond-output")
            page.sees(where, sign)
        page.page.click("#tour-next")
    assert [title.partition(". ")[2] for title in seen] == [
        "A neuron",
        "A mistake",
        "The update",
        "The margin",
        "Two inequalities",
        "The bound",
        "XOR",
        "The cycle",
        "The lift",
        "The network",
    ]
    expect(page["#tour"]).to_be_hidden()
