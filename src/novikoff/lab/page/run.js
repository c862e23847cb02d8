// The run: fetched as a whole, its steps as they are needed; play, scrub, and the words of a step.
import { latest, post } from "./api.js";
import { button, byId, el, put } from "./dom.js";
import { mayMove } from "./motion.js";
import { draw, glide, lookAt, shown } from "./plot.js";
import { ask, emit, setK, setLook, state } from "./state.js";
import { complain } from "./verdict.js";
import { rounded, words } from "./words.js";

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

// The whole run has been seen: the verdict is no secret any more.
const isOver = () => run.answer !== null && state.k >= (run.answer.cycle?.last ?? run.answer.n_mistakes);

export function forget() {
  run.answer = null;
  steps = new Map();
  shown.step = null;
  state.k = 0;
  stop();
  showPlayer();
  showCycle();
  emit("run");
}

export function refresh() {
  if (shown.verdict?.verdict) fetchRun(state.points, state.options);
  else forget();
}

export function showStep() {
  byId("scrub").value = state.k;
  byId("scrub").setAttribute("aria-valuetext", `mistake ${state.k} of ${run.answer?.n_mistakes ?? 0}`);
  byId("position").textContent = `${state.k} / ${run.answer?.n_mistakes ?? 0}`;
  if (run.answer === null || shown.points !== state.points) return;
  if (isOver() && state.k > 0) ask();
  const step = steps.get(state.k);
  if (!step) {
    const first = Math.max(0, state.k - (atOnce >> 2));
    fetchSteps(state.points, state.options, first, atOnce, shown.verdict.plane.view);
    return;
  }
  const before = shown.step;
  shown.step = step;
  if (before !== null && Math.abs(before.k - step.k) === 1) glide(before, step);
  else draw();
  put(byId("panel-step"),
    el("h3", {}, step.title),
    el("ol", { class: "words" }, step.words.map((line) => el("li", {}, words(rounded(line))))),
    state.asked ? el("div", { class: "ending" },
      el("p", {}, el("b", {}, "The run: "), run.answer.sentence),
      run.answer.summary.slice(0, run.answer.cycle ? 1 : undefined).map((line) => el("p", {}, words(rounded(line))))) : null);
  emit("step");
}

export const stepAt = (k) => steps.get(k) ?? null;

function showPlayer() {
  const most = run.answer?.n_mistakes ?? 0;
  byId("scrub").max = most;
  for (const id of ["first", "back", "play", "forward", "last", "scrub"]) byId(id).disabled = run.answer === null;
  byId("position").textContent = `${state.k} / ${most}`;
  if (run.answer === null) put(byId("panel-step"), el("p", {}, "Set points of both classes, and the perceptron can learn."));
}

export function showCycle() {
  const cycle = run.answer?.cycle ?? null;
  const card = byId("cycle");
  card.hidden = cycle === null || !state.asked;
  if (card.hidden) return;
  put(card,
    el("h2", {}, "It will never stop"),
    cycle.sentences.map((line) => el("p", {}, words(line))),
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
  setLook("run");
  if (state.k >= run.answer.n_mistakes && !looping) setK(0);
  byId("play").textContent = "Pause";
  document.body.classList.add("playing");
  const tick = () => {
    const cycle = run.answer?.cycle;
    if (looping && cycle && state.k >= cycle.last) setK(cycle.first);
    else if (run.answer === null || state.k >= run.answer.n_mistakes) return stop();
    else setK(state.k + 1);
    playing = setTimeout(() => passOver(tick), 420 / SPEEDS[byId("speed").value]);
    return undefined;
  };
  playing = setTimeout(() => passOver(tick), 120);
}

// On the way to the next mistake a ring passes over the examples that are classified correctly.
function passOver(then) {
  const rows = looked();
  const pause = 580 / SPEEDS[byId("speed").value] / Math.max(1, rows.length);
  const next = () => {
    lookAt(rows.length ? rows.shift() : null);
    playing = setTimeout(rows.length ? next : then, pause);
  };
  next();
}

const MOST_LOOKED_AT = 12;

// The examples between this mistake and the next, where the order is that of the rows.
function looked() {
  const [now, next] = [steps.get(state.k), steps.get(state.k + 1)];
  const n = state.points.X.length;
  if (!mayMove() || state.options.order !== "cyclic" || !now || !next || n === 0) return [];
  const from = now.row === null ? 0 : now.row + 1;
  const count = (next.row - from + n) % n;
  return Array.from({ length: count }, (_, i) => (from + i) % n).slice(-MOST_LOOKED_AT);
}

export function stop() {
  clearTimeout(playing);
  playing = 0;
  looping = false;
  lookAt(null);
  document.body.classList.remove("playing");
  byId("play").textContent = "Play";
}

export function stepBy(by) {
  stop();
  setLook("run");
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
    setLook("run");
    setK(Number(event.target.value));
  });
}

export const togglePlay = () => (playing ? stop() : play());
