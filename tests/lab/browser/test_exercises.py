"""The exercises: each says what is missing, and when it is right."""

import pytest


@pytest.fixture
def exercise(either):
    """A function that opens an exercise."""

    def opened(key):
        visit = either()
        visit.tab("try")
        visit.page.click(f"#try-{key}")
        visit.page.wait_for_selector("#try-title")
        visit.settle()
        return visit

    return opened


def told(visit, text, right=False):
    visit.sees(".told.right" if right else ".told", text)


def test_a_network_by_hand(exercise):
    page = exercise("network")
    told(page, "4 of 4 points are wrong")
    numbers = {"p": 1, "q": 1, "r": 1, "s": 1, "b₂": -1, "t": 2, "u": -4, "b₃": -1}
    for name, value in numbers.items():
        page[f".byhand [aria-label='{name}']"].fill(str(value))
    told(page, "your network computes XOR", right=True)
    page.count("#plot .regions .plus", 1)


def test_a_line_of_ones_own(exercise):
    page = exercise("line")
    page.click_at(3, 1)
    page.click_at(6.9, 2.4)
    told(page, "Your line gets 22 of 100 points wrong. The best line gets 3 wrong.")
    page.count("#plot .own-line", 1)
    page.count("#plot .cross", 22)


def test_predicting_the_next_mistake(exercise):
    page = exercise("predict")
    page.click_at(1, 1)  # the first example, at (0, 0), is the first mistake
    told(page, "No. Mistake 1 is point 0.")
    page.click_at(1, 1)
    told(page, "Right. Mistake 2 is point 3. 2 more.")


def test_many_mistakes_need_a_narrow_margin(exercise):
    page = exercise("many")
    told(page, "It converges after 9 mistakes")
    page.tab("data")
    page["[aria-label='x1 of row 1']"].fill("0,1")
    page["[aria-label='x1 of row 1']"].press("Enter")
    page["[aria-label='x2 of row 1']"].fill("0.1")
    page["[aria-label='x2 of row 1']"].press("Enter")
    page.settle()
    page.tab("try")
    told(page, "A small γ beside R", right=True)


def test_three_points_that_forbid_a_line(exercise):
    page = exercise("collinear")
    told(page, "There are 4 points")
    page.page.click("#clear")
    for x, sign in ((0, "1"), (0.5, "-1"), (1, "1")):
        page.pen(sign)
        page.click_at(x, 0.5)
    told(page, "the middle one lies between the others", right=True)


def test_the_adversary_and_the_bound(exercise):
    page = exercise("adversary")
    places = [(0, 0), (0, 1), (1, 0), (1, 1)]
    for _ in range(60):
        said = page[".told"].inner_text()
        if "Wrong now" not in said:
            break
        page.click_at(*places[int(said.rstrip(".")[-1])])
    told(page, "mistakes; the bound R²/γ² allows 51")
