// The run: fetched as a whole, its steps as they are needed; play, scrub, and the words of a step.
import { latest, post } from "./api.js";
import { button, byId, el, put } from "./dom.js";
import { draw, shown } from "./plot.js";
import { emit, setK, state } from "./state.js";
import { complain } from "./verdict.js";

export const run = { answer: null };
let steps = new Map();
let playing = 0;
let looping = false;
let atOnce = 64;

// Mistakes a second, by the notch of the speed slider.
const SPEEDS = [0.5, 1, 2, 6, 20];

const fetchRun = latest(
  (points, options) => post("run", { points, options }),
  (answer) => {
    run.answer = answer;
    steps = new Map();
    state.k = Math.min(state.k, answer.n_mistakes);
    showPlayer();
    showCycle();
    emit("run");
    emit("k");
  },
  (error) => {
    forget();
    put(byId("panel-step"), el("p", {}, error.message));
  },
);

const fetchSteps = latest(
  (points, options, first, count, view) => post("steps", { points, options, first, count, view }),
  (answer) => {
    for (const step of answer.steps) steps.set(step.k, step);
    showStep();
  },
  complain,
);

export function forget() {
  run.answer = null;
  steps = new Map();
  shown.step = null;
  stop();
  showPlayer();
  showCycle();
  emit("run");
}

export function refresh() {
  if (shown.verdict?.verdict) fetchRun(state.points, state.options);
  else forget();
}

// The lines of a step are drawn for a view: another view needs them anew.
export function forgetSteps() {
  steps = new Map();
  showStep();
}

export function showStep() {
  byId("scrub").value = state.k;
  byId("scrub").setAttribute("aria-valuetext", `mistake ${state.k} of ${run.answer?.n_mistakes ?? 0}`);
  byId("position").textContent = `${state.k} / ${run.answer?.n_mistakes ?? 0}`;
  if (run.answer === null) return;
  const step = steps.get(state.k);
  if (!step) {
    const first = Math.max(0, state.k - (atOnce >> 2));
    fetchSteps(state.points, state.options, first, atOnce, shown.verdict.plane.view);
    return;
  }
  shown.step = step;
  draw();
  put(byId("panel-step"),
    el("h3", {}, step.title),
    el("ol", { class: "words" }, step.words.map((line) => el("li", {}, line))),
    el("div", { class: "ending" },
      el("p", {}, el("b", {}, "The run: "), run.answer.sentence),
      run.answer.summary.map((line) => el("p", {}, line))));
  emit("step");
}

function showPlayer() {
  const most = run.answer?.n_mistakes ?? 0;
  byId("scrub").max = most;
  for (const id of ["first", "back", "play", "forward", "last", "scrub"]) byId(id).disabled = run.answer === null;
  byId("position").textContent = `${state.k} / ${most}`;
  if (run.answer === null) put(byId("panel-step"), el("p", {}, "There is no run without both classes."));
}

function showCycle() {
  const cycle = run.answer?.cycle ?? null;
  const card = byId("cycle");
  card.hidden = cycle === null;
  looping = false;
  if (cycle === null) return;
  put(card,
    el("h2", {}, "It will never stop"),
    cycle.sentences.map((line) => el("p", {}, line)),
    el("div", { class: "row" },
      button("Show the cycle", () => {
        setK(cycle.first);
        looping = true;
        play();
      }, { class: "primary", id: "show-cycle" }),
      el("span", {}, "What comes next:"),
      [["compare", "pocket"], ["lift", "lift"], ["network", "network"]].map(([kind, name]) =>
        button(name, () => {
          stop();
          document.dispatchEvent(new CustomEvent("beyond", { detail: kind }));
        }))));
}

export function play() {
  if (run.answer === null || playing) return;
  if (state.k >= run.answer.n_mistakes && !looping) setK(0);
  byId("play").textContent = "Pause";
  const tick = () => {
    const cycle = run.answer?.cycle;
    if (looping && cycle && state.k >= cycle.last) setK(cycle.first);
    else if (run.answer === null || state.k >= run.answer.n_mistakes) return stop();
    else setK(state.k + 1);
    playing = setTimeout(tick, 1000 / SPEEDS[byId("speed").value]);
    return undefined;
  };
  playing = setTimeout(tick, 120);
}

export function stop() {
  clearTimeout(playing);
  playing = 0;
  looping = false;
  byId("play").textContent = "Play";
}

export function stepBy(by) {
  stop();
  const most = run.answer?.n_mistakes ?? 0;
  setK(Math.min(most, Math.max(0, state.k + by)));
}

export function startPlayer(limits) {
  atOnce = limits.steps_at_once;
  byId("play").addEventListener("click", () => (playing ? stop() : play()));
  byId("first").addEventListener("click", () => stepBy(-Infinity));
  byId("back").addEventListener("click", () => stepBy(-1));
  byId("forward").addEventListener("click", () => stepBy(1));
  byId("last").addEventListener("click", () => stepBy(Infinity));
  byId("scrub").addEventListener("input", (event) => {
    stop();
    setK(Number(event.target.value));
  });
}

export const togglePlay = () => (playing ? stop() : play());
