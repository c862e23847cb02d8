"""A visit to the lab, in the words of a person: choose points, click here, drag there."""

from playwright.sync_api import expect

WAIT = 90_000  # the first answer of what lies beyond: its processes load everything

AT = """async ([x, y]) => {
  const { currentScene } = await import("./plot.js");
  const node = document.getElementById("plot");
  const [px, py] = currentScene().at([x, y]);
  const point = new DOMPoint(px, py).matrixTransform(node.getScreenCTM());
  return [point.x, point.y];
}"""


class Visit:
    """A page of the lab, and what its console complained about."""

    def __init__(self, page, url):
        self.page, self.complaints = page, []
        page.set_default_timeout(WAIT)
        expect.set_options(timeout=WAIT)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(url)
        page.wait_for_selector("body[data-ready]")
        self.settle()

    def settle(self):
        """Wait until every question that the page asked is answered and drawn."""
        self.page.wait_for_selector("body[data-asking='0']")

    def _heard(self, message):
        # A refusal of the engine is a part of the game; the browser reports it all the same.
        if message.type in ("error", "warning") and "status of 422" not in message.text:
            self.complaints.append(message.text)

    def __getitem__(self, selector):
        return self.page.locator(selector)

    def sees(self, selector, text):
        """Wait until something there has that text."""
        expect(self.page.locator(selector).filter(has_text=text).first).to_be_visible()

    def choose(self, name, word):
        """Choose a preset and wait for its verdict."""
        self.page.select_option("#preset", name)
        self.settle()
        self.look("verdict")
        self.sees("#verdict .word", word)

    def tab(self, name):
        self.page.click(f"#tab-{name}")
        self.settle()

    def pen(self, value):
        self.page.check(f"#pen input[value='{value}']", force=True)

    def look(self, what):
        """What the plot shows: the run, the verdict, or what lies beyond."""
        self.page.check(f"#look input[value='{what}']", force=True)

    def count(self, selector, number):
        expect(self.page.locator(selector)).to_have_count(number)

    def at(self, x, y):
        """Where a place of the plane is on the screen."""
        self.page.locator("#plot").scroll_into_view_if_needed()
        return self.page.evaluate(AT, [x, y])

    def click_at(self, x, y):
        self.page.mouse.click(*self.at(x, y))

    def drag(self, start, end):
        self.page.mouse.move(*self.at(*start))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(*end), steps=6)
        self.page.mouse.up()

    def beyond(self, kind):
        self.tab("beyond")
        self.page.check(f"#panel-beyond input[value='{kind}']", force=True)
        self.settle()

    def points(self):
        """The points as the page holds them."""
        return self.page.evaluate("async () => (await import('./state.js')).state.points")
