// Walking through the tour: each step sets the page up, lights a part of it, and waits.
import { button, byId, el, put } from "./dom.js";
import { STEPS } from "./tour_steps.js";

const card = byId("tour");
let at = -1;
let apply = async () => {};

export function startTour(onStep) {
  apply = onStep;
  byId("start-tour").addEventListener("click", () => go(0));
}

async function go(step) {
  at = step;
  document.querySelector(".lit-up")?.classList.remove("lit-up");
  if (at < 0 || at >= STEPS.length) {
    card.hidden = true;
    document.body.classList.remove("touring");
    byId("start-tour").focus();
    return;
  }
  const { title, text, look } = STEPS[at];
  put(card,
    el("h2", { id: "tour-title", tabindex: -1 }, title),
    text.map((line) => el("p", {}, line)),
    el("div", { class: "row" },
      button("Back", () => go(at - 1), { disabled: at === 0 }),
      el("span", { class: "note" }, `${at + 1} of ${STEPS.length}`),
      button("End", () => go(-1)),
      button(at === STEPS.length - 1 ? "Done" : "Next", () => go(at + 1), { class: "primary", id: "tour-next" })));
  card.hidden = false;
  document.body.classList.add("touring");
  await apply(STEPS[at]);
  const part = byId(look);
  part.closest(".card").classList.add("lit-up");
  part.closest(".card").scrollIntoView({ block: "nearest" });
  byId("tour-title").focus({ preventScroll: true });
}
