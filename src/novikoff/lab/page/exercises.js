// Exercises that check themselves. Each sets the page up, says what to find, and tells whether it is.
import { Refusal, post } from "./api.js";
import { chooseBeyond } from "./beyond.js";
import { button, byId, el, put } from "./dom.js";
import { onPress } from "./editing.js";
import { typedNumber } from "./numbers.js";
import { draw, shown } from "./plot.js";
import { run, stepAt } from "./run.js";
import { ask, setK, setLook, state } from "./state.js";
import { words } from "./words.js";

const panel = byId("panel-try");
let load = async () => {};
let open = null;

const EXERCISES = [
  { key: "network", title: "A network for XOR, by hand", points: "xor", start: byHand },
  { key: "line", title: "Your own line", points: "iris-versicolor-virginica", start: ownLine },
  { key: "predict", title: "Predict the next mistake", points: "and", start: predict },
  { key: "many", title: "Make it need more than 30 mistakes", points: "or", start: many },
  { key: "collinear", title: "Three points that forbid a line", points: "or", start: collinear },
  { key: "adversary", title: "You are the adversary", points: "and", start: adversary },
];

export function startExercises(loadPreset) {
  load = loadPreset;
  menu();
}

export function menu() {
  leave();
  put(panel,
    el("p", {}, "Six exercises. Each one says at once whether your answer is right."),
    el("ol", { class: "exercises" }, EXERCISES.map((one) => el("li", {}, button(one.title, () => begin(one), { id: `try-${one.key}` })))));
}

// What an exercise shows above its own parts, and where it says how things stand.
let told = null;
let check = null;

async function begin(exercise) {
  leave();
  open = exercise;
  chooseBeyond("none");
  setLook("run");
  ask(false);
  document.body.classList.add("exercising");
  await load(exercise.points);
  told = el("p", { class: "told", role: "status" });
  const body = el("div", {});
  put(panel, el("h2", { tabindex: -1, id: "try-title" }, exercise.title), body, told,
    el("div", { class: "row" }, button("Start again", () => begin(exercise)), button("All exercises", menu, { id: "try-menu" })));
  exercise.start(body);
  byId("try-title").focus({ preventScroll: true });
}

function leave() {
  open = null;
  check = null;
  document.body.classList.remove("exercising");
  onPress(null);
  shown.own = null;
  if (shown.beyond?.mine) {
    shown.beyond = null;
    setLook("run");
  }
  draw();
}

// Called whenever the run of the points has changed.
export function checkExercise() {
  if (open && check) check();
}

function tell(text, right = false) {
  put(told, words(text));
  told.classList.toggle("right", right);
}

// 1. Two hidden units and one on top: nine numbers.
const NAMES = ["p", "q", "b₁", "r", "s", "b₂", "t", "u", "b₃"];

function byHand(body) {
  const fields = NAMES.map((name) => el("input", { type: "text", inputmode: "decimal", size: 4, "aria-label": name, value: "0", oninput: () => look() }));
  const rows = el("tbody", {});
  const sum = (...parts) => parts.flatMap((part, i) => [i ? " " : "", typeof part === "string" ? part : part]);
  put(body,
    el("p", {}, words("Find p, q, r, s, t, u and three biases so that `a_1 = max(p·x_1 + q·x_2 + b_1, 0)`, `a_2 = max(r·x_1 + s·x_2 + b_2, 0)`, and the score `t·a_1 + u·a_2 + b_3` is positive for +1 and negative for −1.")),
    el("div", { class: "options byhand" }, fields.map((field, i) => el("label", { class: "field" }, sum(`${NAMES[i]} =`, field)))),
    el("table", { class: "activations" },
      el("thead", {}, el("tr", {}, ["x1", "x2", "a1", "a2", "score", "says", "is"].map((name) => el("th", { scope: "col" }, name)))), rows));
  const look = () => {
    const values = fields.map((field) => typedNumber(field.value));
    if (values.some(Number.isNaN)) return tell("Each field needs a number.");
    const [p, q, b1, r, s, b2, t, u, b3] = values;
    const hidden = ([x, y]) => [Math.max(p * x + q * y + b1, 0), Math.max(r * x + s * y + b2, 0)];
    const score = (x) => hidden(x)[0] * t + hidden(x)[1] * u + b3;
    const { X, y } = state.points;
    const wrong = X.filter((x, i) => y[i] * score(x) <= 0).length;
    put(rows, X.map((x, i) => el("tr", {}, [...x, ...hidden(x), score(x)].map((value) => el("td", { class: "number" }, short(value))),
      el("td", { class: y[i] * score(x) > 0 ? "" : "wrong" }, score(x) > 0 ? "+1" : score(x) < 0 ? "−1" : "0"), el("td", {}, y[i] > 0 ? "+1" : "−1"))));
    shown.beyond = { mine: true, regions: areas(score) };
    setLook("beyond");
    draw();
    return tell(wrong ? `${wrong} of ${X.length} points are wrong.` : "Right: your network computes XOR.", wrong === 0);
  };
  check = look;
  look();
}

const short = (value) => String(Number(value.toPrecision(4))).replace("-", "−");

// Where a score is positive and where it is negative, in small squares.
function areas(score) {
  const { left, right, bottom, top } = shown.verdict.plane.view;
  const [across, up] = [80, 60];
  const drawn = { plus: [], minus: [], border: [] };
  const [dx, dy] = [(right - left) / across, (top - bottom) / up];
  for (let i = 0; i < across; i += 1) {
    for (let j = 0; j < up; j += 1) {
      const [x, y] = [left + i * dx, bottom + j * dy];
      const value = score([x + dx / 2, y + dy / 2]);
      if (value !== 0) drawn[value > 0 ? "plus" : "minus"].push([[x, y], [x + dx, y], [x + dx, y + dy], [x, y + dy]]);
    }
  }
  return drawn;
}

// 2. A line by two clicks, and its errors beside the fewest.
function ownLine(body) {
  let fewest = null;
  let first = null;
  put(body, el("p", {}, "Click twice into the plot: your line goes through both places. How few points can it get wrong?"));
  tell("Click the first place.");
  const asked = state.points;
  post("fewest", { points: asked, fit_intercept: true, view: shown.verdict?.plane.view ?? null })
    .then((answer) => (fewest = answer))
    .catch((error) => {
      if (!(error instanceof Refusal)) throw error;
    });
  onPress((_, place) => {
    if (first === null) {
      first = place;
      shown.own = null;
      tell("Now the second place.");
      draw();
      return true;
    }
    const [p, q] = [first, place];
    first = null;
    if (p[0] === q[0] && p[1] === q[1]) return true;
    const far = ([x0, y0], [x1, y1], t) => [x0 + t * (x1 - x0), y0 + t * (y1 - y0)];
    const reach = 100 / Math.hypot(q[0] - p[0], q[1] - p[1]) * (shown.verdict.plane.view.right - shown.verdict.plane.view.left);
    const side = ([x, y]) => (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
    const { X, y } = state.points;
    const errors = [1, -1].map((sign) => [...X.keys()].filter((i) => sign * y[i] * side(X[i]) <= 0));
    const wrong = errors[0].length <= errors[1].length ? errors[0] : errors[1];
    const mine = wrong.length;
    shown.own = { line: [far(p, q, -reach), far(p, q, reach)], wrong };
    draw();
    if (fewest === null) tell(`Your line gets ${mine} of ${X.length} points wrong. The fewest are still being worked out.`);
    else if (mine <= fewest.most) tell(`Your line gets ${mine} wrong, and no line gets fewer wrong: that is proven.`, true);
    else tell(`Your line gets ${mine} of ${X.length} points wrong. The best line gets ${fewest.most} wrong.`);
    return true;
  });
}

// 3. Which example is the next that it gets wrong?
function predict(body) {
  let right = 0;
  put(body, el("p", {}, "The examples come in the order of the rows. Click the point that the perceptron gets wrong next. Three right in a row, and you have it."));
  tell("Which point is the next mistake?");
  onPress((row) => {
    if (row === null || run.answer === null) return true;
    if (state.k >= run.answer.n_mistakes) setK(0);
    const k = state.k + 1;
    const next = stepAt(k);
    if (next === null) return true;
    const hit = next.row === row;
    right = hit ? right + 1 : 0;
    setK(k);
    const was = `Mistake ${k} is point ${next.row}.`;
    if (right >= 3) tell(`${was} Three in a row: you can run the perceptron in your head.`, true);
    else tell(hit ? `Right. ${was} ${3 - right} more.` : `No. ${was} Look at the score in the tab Step.`);
    return true;
  });
}

// 4. Separable, and more than 30 mistakes.
const MOST_POINTS = 6;

function many(body) {
  put(body, el("p", {}, words(`Move the points until the perceptron makes more than 30 mistakes and still converges, with ${MOST_POINTS} points at most. What does \`R²/γ²\` tell you to do?`)));
  check = () => {
    const made = run.answer;
    const n = state.points.X.length;
    if (made === null) return tell("Set points of both classes.");
    if (n > MOST_POINTS) return tell(`These are ${n} points: ${MOST_POINTS} at most.`);
    if (made.status !== "CONVERGED") return tell(`${made.n_mistakes} mistakes, but it does not converge: no line separates these, or it needs more epochs.`);
    if (made.n_mistakes <= 30) return tell(`It converges after ${made.n_mistakes} mistakes. More than 30 are wanted.`);
    return tell(`It converges after ${made.n_mistakes} mistakes. A small γ beside R makes a large bound.`, true);
  };
  check();
}

// 5. Three points on a line, the middle one alone in its class.
function collinear(body) {
  put(body, el("p", {}, "Clear the plot. Set three points, of both classes, that no line can separate. (Two points in one place do not count.)"));
  check = () => {
    const { X, y } = state.points;
    if (X.length !== 3) return tell(`There are ${X.length} points, and three are wanted.`);
    const same = X.some((x, i) => X.slice(0, i).some((other) => other.every((value, j) => value === x[j])));
    if (same) return tell("Two points are in one place.");
    if (new Set(y).size < 2) return tell("All three are of one class.");
    if (shown.verdict?.verdict?.word === "separable") return tell("A line separates these.");
    return tell("Right: the middle one lies between the others, and so does its score.", true);
  };
  check();
}

// 6. The reader chooses which mistake the perceptron sees next: as many as the bound allows?
function adversary(body) {
  let w = [0, 0, 0];
  let made = 0;
  const count = el("b", {}, "0");
  put(body,
    el("p", {}, words("The theorem holds for any order. Click a point that is wrong now, and the perceptron learns from it. How many mistakes can you make it make before all points are right?")),
    el("p", {}, "Mistakes: ", count));
  const score = (x) => x.reduce((sum, value, j) => sum + value * w[j], w[2]);
  const wrong = () => state.points.X.map((_, i) => i).filter((i) => state.points.y[i] * score(state.points.X[i]) <= 0);
  const show = () => {
    const [a, b, c] = w;
    const size = a * a + b * b;
    const far = 100;
    const foot = [(-c * a) / size, (-c * b) / size];
    const left = wrong();
    shown.own = { line: size ? [[foot[0] - b * far, foot[1] + a * far], [foot[0] + b * far, foot[1] - a * far]] : null, wrong: left };
    count.textContent = String(made);
    const limit = shown.verdict?.verdict?.mistake_bound;
    const bound = limit ? Math.floor(limit + 1e-9) : null;
    draw();
    if (left.length) tell(`w = (${a}, ${b}), b = ${c}. Wrong now: points ${left.join(", ")}.`);
    else tell(`It is over after ${made} mistakes; the bound R²/γ² allows ${bound}. ${made >= 12 ? "Well played." : "Can you make it 12 or more?"}`, made >= 12);
  };
  onPress((row) => {
    if (row === null) return true;
    if (!wrong().includes(row)) {
      tell(`Point ${row} is right now: choose one that is wrong.`);
      return true;
    }
    const [x, y] = [state.points.X[row], state.points.y[row]];
    w = [w[0] + y * x[0], w[1] + y * x[1], w[2] + y];
    made += 1;
    show();
    return true;
  });
  show();
}
