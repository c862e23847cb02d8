// Beyond the line: pocket and average, kernels, lifts, networks, the fewest errors.
import { latest, post } from "./api.js";
import { button, byId, el, put, svg } from "./dom.js";
import { showNetwork } from "./network.js";
import { typedNumber } from "./numbers.js";
import { draw, shown } from "./plot.js";
import { showSpace } from "./space.js";
import { setLook, state } from "./state.js";
import { rounded } from "./words.js";

const panel = byId("panel-beyond");
const output = el("div", { class: "beyond-output", "aria-live": "polite" });
const settings = { kernel: "rbf", gamma: 1, degree: 2, hidden: 2, seed: 0, azimuth: -62, elevation: 18 };
let wanted = false; // whether its picture is to take the plot when it comes

// Each kind: what it is called, which settings it has, what is asked, and how the answer is shown.
const KINDS = {
  none: { title: "nothing" },
  compare: {
    title: "pocket and averaged",
    ask: () => post("compare", { points: state.points, options: state.options, view: view() }),
    show: showComparison,
  },
  fewest: {
    title: "the fewest errors",
    ask: () => post("fewest", { points: state.points, fit_intercept: state.options.fit_intercept, view: view() }),
    show: showFewest,
  },
  kernel: {
    title: "kernel perceptron",
    fields: ["kernel", "gamma", "degree"],
    ask: () => post("regions", { points: state.points, view: view(), ...picked("kernel", "gamma", "degree") }),
    show: (answer) => {
      shown.beyond = { regions: answer };
      put(output, el("p", {}, answer.sentence));
    },
  },
  lift: { title: "lift until separable", ask: () => post("lift", { points: state.points, view: view() }), show: showLift },
  space: {
    title: "lift to 3-D",
    ask: () => post("space", { points: state.points, ...picked("azimuth", "elevation") }),
    show: (answer) => {
      shown.beyond = null;
      showSpace(output, answer, turn);
    },
  },
  network: {
    title: "ReLU network",
    fields: ["hidden", "seed"],
    ask: () => post("network", { points: state.points, view: view(), ...picked("hidden", "seed") }),
    show: (answer) => {
      shown.beyond = answer.regions ? { regions: answer.regions } : null;
      showNetwork(output, answer);
    },
  },
};

const view = () => shown.verdict?.plane.view ?? null;
const picked = (...names) => Object.fromEntries(names.map((name) => [name, settings[name]]));

const ask = latest(
  (asked) => KINDS[asked].ask(),
  (answer, asked) => {
    if (asked !== state.beyond) return;
    output.setAttribute("aria-busy", "false");
    KINDS[asked].show(answer);
    offer(shown.beyond !== null);
    draw();
  },
  (error, asked) => {
    if (asked !== state.beyond) return;
    shown.beyond = null;
    output.setAttribute("aria-busy", "false");
    put(output, el("p", { class: "refused" }, error.message));
    offer(false);
    draw();
  },
);

// The plot shows what lies beyond in place of the run, whose marks would contradict it.
function offer(drawn) {
  byId("look-beyond").hidden = !drawn;
  if (drawn && wanted) setLook("beyond");
  if (drawn) wanted = false;
  else if (state.look === "beyond") setLook("run");
}

export function refreshBeyond() {
  if (state.beyond === "none" || !shown.verdict?.verdict) {
    shown.beyond = null;
    put(output);
    offer(false);
    draw();
    return;
  }
  output.setAttribute("aria-busy", "true");
  ask(state.beyond);
}

export function chooseBeyond(name, takesPlot = true) {
  state.beyond = Object.hasOwn(KINDS, name) ? name : "none";
  wanted = takesPlot;
  const radio = panel.querySelector(`input[value=${state.beyond}]`);
  if (radio) radio.checked = true;
  shown.beyond = null;
  put(output);
  showFields();
  refreshBeyond();
}

export function startBeyond(about) {
  if (!about.fewest_errors) delete KINDS.fewest;
  const radios = Object.entries(KINDS).map(([value, { title }]) =>
    el("label", {}, el("input", { type: "radio", name: "beyond", value, checked: value === state.beyond,
      onchange: () => chooseBeyond(value) }), el("span", {}, title)));
  put(panel,
    el("fieldset", { class: "choices wrap" }, el("legend", {}, "Where no line will do, show"), radios),
    el("div", { id: "beyond-fields", class: "options" }), output);
}

const FIELDS = {
  kernel: () => choice("kernel", "Kernel", [["rbf", "RBF"], ["poly", "polynomial"]]),
  gamma: () => number("gamma", "γ of the kernel", 0.01, 1000, false),
  degree: () => number("degree", "Degree", 1, 8),
  hidden: () => number("hidden", "Hidden units", 1, 8),
  seed: () => number("seed", "Seed of the starts", 0, 1000000),
};

function showFields() {
  put(byId("beyond-fields"), ...(KINDS[state.beyond].fields ?? []).map((name) => FIELDS[name]()));
}

function number(name, text, min, max, whole = true) {
  return el("label", { class: "field" }, `${text} `,
    el("input", { type: "text", inputmode: "decimal", id: `beyond-${name}`, value: settings[name],
      onchange: (event) => {
        const typed = typedNumber(event.target.value);
        if (typed >= min && typed <= max && (!whole || Number.isInteger(typed))) settings[name] = typed;
        event.target.value = settings[name];
        refreshBeyond();
      } }));
}

function choice(name, text, values) {
  return el("label", { class: "field" }, `${text} `,
    el("select", { id: `beyond-${name}`, onchange: (event) => {
      settings[name] = event.target.value;
      refreshBeyond();
    } }, values.map(([value, title]) => el("option", { value, selected: settings[name] === value }, title))));
}

function swatch(name) {
  return svg("svg", { viewBox: "0 0 24 8", class: "swatch", "aria-hidden": "true" },
    svg("path", { class: `contender ${name}`, d: "M1 4H23" }));
}

function showComparison(answer) {
  shown.beyond = { lines: answer.contenders };
  put(output,
    el("p", {}, answer.sentence),
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Comparison" },
      el("table", {},
        el("thead", {}, el("tr", {}, ["learner", "wrong", "weights"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, answer.contenders.map((contender) =>
          el("tr", {},
            el("th", { scope: "row" }, swatch(contender.name), ` ${contender.name}`, el("small", {}, contender.about)),
            el("td", { class: "number" }, String(contender.errors)),
            el("td", {}, rounded(contender.weights))))))));
}

function showLift(answer) {
  shown.beyond = answer.regions ? { regions: answer.regions } : null;
  put(output,
    el("p", {}, answer.sentence),
    el("table", {},
      el("thead", {}, el("tr", {}, ["lift", "columns", "verdict"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, answer.tried.map((tried) =>
        el("tr", {}, el("th", { scope: "row" }, tried.name), el("td", { class: "number" }, String(tried.columns)),
          el("td", {}, tried.word))))));
}

function showFewest(answer) {
  shown.beyond = { lines: [{ name: "pocket", line: answer.line }], rows: answer.given_up, conflict: null };
  const look = (rows) => {
    shown.beyond = { ...shown.beyond, conflict: rows };
    draw();
  };
  put(output,
    el("p", {}, answer.sentence),
    answer.conflicts.length
      ? el("details", { open: true }, el("summary", {}, "Why no hyperplane does better"),
          el("ul", {}, answer.conflicts.map((rows) => el("li", {}, button(`rows ${rows.join(", ")}`, () => look(rows), { class: "plain" }), " cannot all be right"))))
      : null);
}

function turn(azimuth, elevation) {
  settings.azimuth = ((((settings.azimuth + azimuth) % 360) + 360) % 360);
  settings.elevation = Math.max(-90, Math.min(90, settings.elevation + elevation));
  ask("space");
}
