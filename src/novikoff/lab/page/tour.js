// Walking through the tour: each step sets the page up and keeps what it speaks of in sight.
import { button, byId, el, put } from "./dom.js";
import { STEPS } from "./tour_steps.js";
import { words } from "./words.js";

const card = byId("tour");
let at = -1;
let apply = async () => {};

export function startTour(onStep) {
  apply = onStep;
  byId("start-tour").addEventListener("click", () => go(0));
}

const clear = (name) => document.querySelectorAll(`.${name}`).forEach((node) => node.classList.remove(name));

async function go(step) {
  at = step;
  clear("spoken-of");
  clear("beside-tour");
  if (at < 0 || at >= STEPS.length) {
    card.hidden = true;
    document.body.classList.remove("touring");
    byId("start-tour").focus();
    return;
  }
  const { title, text, look, card: beside } = STEPS[at];
  put(card,
    el("h2", { id: "tour-title", tabindex: -1 }, title),
    text.map((line) => el("p", {}, words(line))),
    el("div", { class: "row" },
      button("Back", () => go(at - 1), { disabled: at === 0 }),
      el("span", { class: "note" }, `${at + 1} of ${STEPS.length}`),
      button("End", () => go(-1)),
      button(at === STEPS.length - 1 ? "Done" : "Next", () => go(at + 1), { class: "primary", id: "tour-next" })));
  card.hidden = false;
  document.body.classList.add("touring");
  if (beside) document.querySelector(`.side > .${beside}`).classList.add("beside-tour");
  card.setAttribute("aria-busy", "true");
  await apply(STEPS[at]);
  card.setAttribute("aria-busy", "false");
  byId("tour-title").focus({ preventScroll: true });
  bring(look);
}

// What a step speaks of, scrolled to where the card does not cover it.
function bring(look) {
  const thing = byId(look) ?? document.querySelector(`svg.${look}`);
  if (!thing) return;
  thing.classList.add("spoken-of");
  thing.closest("figure")?.classList.add("spoken-of");
  const below = matchMedia("(max-width: 60rem)").matches;
  if (below) thing.scrollIntoView({ block: "start" });
  else scrollTo(0, 0);
}
