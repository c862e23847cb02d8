"""Points: add, drag, delete, undo and redo, presets, the link, the file, a CSV."""

import json

import pytest
from playwright.sync_api import expect
from tests.lab.browser.visit import Visit
from tests.lab.serving import serving

import novikoff

pytestmark = pytest.mark.slow

CSV = """a,b,c,<img src=x onerror=alert(1)>
1,2,3,<b>yes</b>
2,1,5,no
4,4,,no
0,3,2,<b>yes</b>
"""


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("and", "separable"),
        ("or", "separable"),
        ("xor", "overlapping"),
        ("collinear", "overlapping"),
        ("touching", "touching"),
        ("moons", "overlapping"),
        ("iris-setosa-versicolor", "separable"),
        ("iris-versicolor-virginica", "overlapping"),
    ],
)
def test_presets(page, name, word):
    page.choose(name, word)


def test_the_margin_slider(page):
    page.choose("margin", "separable")
    page.sees("#verdict dd", "0.5")
    page["#margin"].fill("1.25")
    page.sees("#verdict dd", "1.25")


def test_add_drag_delete_undo_redo(page):
    page.choose("and", "separable")
    page.pen("1")
    page.click_at(0.5, 0.25)
    page.count("#plot .points .mark", 5)
    page.sees("#verdict .word", "overlapping")
    page.drag((0.5, 0.25), (1.1, 0.9))
    page.sees("#verdict .word", "separable")
    x, y = page.points()["X"][4]
    assert abs(x - 1.1) < 0.02
    assert abs(y - 0.9) < 0.02
    page.pen("-1")
    page.click_at(0.25, 0.5)
    page.count("#plot .points .mark.minus", 4)
    page.pen("delete")
    page.click_at(1, 1)
    page.count("#plot .points .mark", 5)
    page.page.click("#undo")
    page.count("#plot .points .mark", 6)
    page.page.keyboard.press("Control+z")
    page.count("#plot .points .mark", 5)
    page.page.click("#redo")
    page.count("#plot .points .mark", 6)
    page.page.keyboard.press("Control+Shift+z")
    page.count("#plot .points .mark", 5)


def test_the_verdict_follows_while_a_point_is_dragged(page):
    page.choose("or", "separable")
    page.page.mouse.move(*page.at(0, 0))
    page.page.mouse.down()
    page.page.mouse.move(*page.at(0.75, 0.75), steps=5)
    page.sees("#verdict .word", "overlapping")  # still in the hand
    page.page.mouse.up()
    page.sees("#verdict .word", "overlapping")
    assert page.points()["X"][0] != [0, 0]


def test_without_points_there_is_a_message_and_no_complaint(either):
    page = either()
    page.page.click("#last")
    page.sees("#panel-step h3", "Mistake 18")
    page.page.click("#clear")
    page.sees("#verdict", "No points yet. Click in the plot to add some.")
    page.settle()
    expect(page["#position"]).to_have_text("0 / 0")
    expect(page["#preset"]).to_have_value("")
    assert not page["#toast"].is_visible()  # it would go away by itself: no waiting for that
    page.click_at(0.2, 0.2)
    page.sees("#verdict", "Add a point of class")
    page.pen("-1")
    page.click_at(0.8, 0.8)
    page.look("verdict")
    page.sees("#verdict .word", "separable")


def test_points_that_were_changed_are_no_preset_any_more(either):
    page = either()
    expect(page["#preset"]).to_have_value("and")
    page.click_at(0.25, 0.25)
    expect(page["#preset"]).to_have_value("")
    page.page.click("#undo")
    expect(page["#preset"]).to_have_value("and")


def test_the_brush_paints_in_one_stroke(either):
    page = either()
    page["#brush"].check(force=True)
    page.drag((0.2, 0.2), (0.8, 0.2))
    page.settle()
    assert len(page.points()["X"]) > 8
    page.page.click("#undo")
    page.count("#plot .points .mark", 4)


def test_the_state_is_a_link(either):
    page = either()
    page.choose("xor", "overlapping")
    page.page.click(".options-holder summary")
    page.page.select_option("#tie", "+1")
    page.pen("1")
    page.click_at(0.25, 0.75)
    page.count("#plot .points .mark", 5)
    page.beyond("fewest")
    page.count("#plot .given-up", 1)
    page.page.click("#link")
    page.sees("#toast", "link")
    assert page["#link-text"].input_value() == page.page.url
    expect(page["#link-dialog .qr"]).to_be_visible()
    fragment = page.page.url.partition("#")[2]
    again = either(f"#{fragment}")
    again.count("#plot .points .mark", 5)
    assert again.points() == page.points()
    expect(again["#tie"]).to_have_value("+1")
    again.count("#plot .given-up", 1)  # what the plot showed, it shows again


def test_a_link_to_a_lab_for_others_lets_them_in(browser):
    with serving("--host", "0.0.0.0") as running:
        token = running.url.partition("?")[2]
        address = f"http://127.0.0.1:{running.port}/"
        context = browser.new_context()
        here = Visit(context.new_page(), f"{address}?{token}")
        here.page.click("#link")
        link = here["#link-text"].input_value()
        assert f"?{token}#lab=" in link
        assert token not in here.page.url
        context.close()
        stranger = browser.new_context()
        there = Visit(stranger.new_page(), link)
        assert len(there.points()["X"]) == 4
        stranger.close()


def test_a_link_that_is_none_is_said_to_be(open_page):
    visit = open_page("#lab=AAAA")
    visit.sees("#toast", "does not hold a lab")
    visit.sees("#verdict", "Can a line separate these?")


def test_the_state_is_a_file(either, tmp_path):
    page = either()
    page.choose("collinear", "overlapping")
    with page.page.expect_download() as download:
        page.page.click("#save")
    path = tmp_path / "lab.json"
    download.value.save_as(path)
    before = page.points()
    page.choose("and", "separable")
    page["#file"].set_input_files(path)
    page.sees("#verdict .word", "overlapping")
    assert page.points() == before


def test_a_csv_and_its_columns(page, tmp_path):
    path = tmp_path / "<i>mine.csv"
    path.write_text(CSV, encoding="utf-8")
    page["#file"].set_input_files(path)
    page.sees("#csv", "4 rows, 4 columns")
    page.sees("#csv", "<i>mine.csv")
    page["#csv-features input[value=c]"].uncheck()
    page.page.click("#csv-done")
    expect(page["#csv"]).to_be_hidden()
    page.look("verdict")
    page.sees("#legend", "<b>yes</b>")
    points = page.points()
    assert points["names"] == ["a", "b"]
    assert set(points["classes"]) == {"<b>yes</b>", "no"}
    page.sees("#verdict .word", "separable")
    assert page.page.locator("img, #legend b, #csv b").count() == 0  # names are text
    page["#file"].set_input_files(path)  # with c there is a missing value, and that is said
    page.page.click("#csv-done")
    page.sees("#csv .refused", "missing")
    page["#csv-missing"].check()
    page.page.click("#csv-done")
    page.sees("#plot-note", "projection")
    page.count("#plot .points .mark", 3)


def test_a_csv_can_be_dropped(page):
    page.page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], "dropped.csv"));
          const options = { dataTransfer: data, bubbles: true, cancelable: true };
          document.dispatchEvent(new DragEvent("drop", options));
        }""",
        "x,y,label\n1,2,0\n2,3,1\n",
    )
    page.sees("#csv", "dropped.csv: 2 rows")
    page.page.click("#csv-done")
    page.count("#plot .points .mark", 2)


def test_the_table_edits_points_too(page, tmp_path):
    page.choose("or", "separable")
    page.tab("data")
    page["[aria-label='x1 of row 0']"].fill("1,0")  # a decimal comma is a point
    page["[aria-label='x1 of row 0']"].press("Enter")
    page.sees("#verdict .word", "touching")
    page["[aria-label='class of row 0']"].select_option("1")
    page.sees("#verdict", "Add a point of class")
    page["[aria-label='class of row 3']"].select_option("-1")
    page.sees("#verdict .word", "separable")
    page["[aria-label='delete row 1']"].click()
    page.count("#plot .points .mark", 3)
    with page.page.expect_download() as download:
        page.page.click("#download-csv")
    path = tmp_path / "points.csv"
    download.value.save_as(path)
    table = novikoff.read(path, label="class")
    assert table.X.tolist() == page.points()["X"]


def test_a_saved_lab_that_is_broken_is_refused(page, tmp_path):
    for text, said in (
        ("{", "cannot be read"),
        (json.dumps({"format": "other"}), "not a saved lab"),
    ):
        path = tmp_path / "broken.json"
        path.write_text(text)
        page["#file"].set_input_files(path)
        page.sees("#toast", said)
