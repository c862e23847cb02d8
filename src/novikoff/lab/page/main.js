// The page: what happens when, and in which order.
import { get, latest, post } from "./api.js";
import { chooseBeyond, refreshBeyond, startBeyond } from "./beyond.js";
import { moveMarkers, showCharts } from "./charts.js";
import { byId, download, el, put, toast } from "./dom.js";
import { startEditing } from "./editing.js";
import { checkExercise, menu as leaveExercise, startExercises } from "./exercises.js";
import { showLegend } from "./legend.js";
import { draw, shown } from "./plot.js";
import { showLinkDialog } from "./link.js";
import { refresh as refreshRun, run, showCycle, showStep, startPlayer, stepBy, stop, togglePlay } from "./run.js";
import { ask as askFor, canRedo, canUndo, fromLink, on, OPTIONS, presetName, redo, saved, setK, setLook, setOptions, setPoints, select, state, toLink, undo } from "./state.js";
import { showTable } from "./table.js";
import { startTour } from "./tour.js";
import { startUpload } from "./upload.js";
import { complain, showVerdict } from "./verdict.js";
import { typedNumber } from "./numbers.js";

let notes = [];
let settled = () => {}; // called when the answers to the newest points are all shown

const askVerdict = latest(
  (points, fit_intercept, view) => post("verdict", { points, fit_intercept, view }),
  (answer, points) => {
    shown.verdict = answer;
    shown.points = points;
    state.view = answer.plane.view;
    if (points !== state.points) return drawDragged();
    showVerdict(answer);
    refreshRun();
    refreshBeyond();
    draw();
    showLegend();
    byId("plot-note").textContent = answer.plane.note;
    byId("plot-note").hidden = answer.plane.note === "";
    return undefined;
  },
  complain,
);

// While a point is dragged the plot shows it where the pointer is, with the verdict there.
function drawDragged() {
  shown.step = null;
  draw();
  showVerdict(shown.verdict);
}

const ask = () => askVerdict(state.points, state.options.fit_intercept, state.view);

function showPoints() {
  stop();
  byId("undo").disabled = !canUndo();
  byId("redo").disabled = !canRedo();
  byId("minus-name").textContent = state.points.classes[0];
  byId("plus-name").textContent = state.points.classes[1];
  byId("preset").value = presetName();
  byId("margin-field").hidden = presetName() !== "margin";
  ask();
  showTable(notes);
}

function showOptions() {
  stop();
  for (const name of Object.keys(OPTIONS)) {
    const field = byId(name);
    if (field.type === "checkbox") field.checked = state.options[name];
    else field.value = state.options[name];
  }
}

async function loadPreset(name) {
  const margin = byId("margin").value;
  byId("margin-value").textContent = margin;
  try {
    const answer = await get(`presets/${name}${name === "margin" ? `?margin=${margin}` : ""}`);
    notes = answer.notes;
    if (name !== presetName()) {
      state.k = 0;
      askFor(state.look === "verdict");
    }
    setPoints(answer.points, { keepView: false, preset: name });
  } catch (error) {
    complain(error);
  }
}

function openTab(name) {
  state.tab = name;
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const chosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = !chosen;
  }
  if (name === "data") showTable(notes);
  if (name === "proof") showCharts();
  if (name === "try") checkExercise();
}

function startTabs() {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => openTab(tab.id.slice(4)));
    tab.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by) return;
      const next = tabs[(i + by + tabs.length) % tabs.length];
      next.click();
      next.focus();
    });
  });
}

function startOptions() {
  for (const name of Object.keys(OPTIONS)) {
    byId(name).addEventListener("change", (event) => {
      const field = event.target;
      if (!field.reportValidity() || field.value === "") return showOptions();
      const isNumber = field.type === "number" || field.inputMode === "decimal";
      const value = field.type === "checkbox" ? field.checked : isNumber ? typedNumber(field.value) : field.value;
      if (name === "eta0" && !(value >= 0.001 && value <= 1e6)) return showOptions();
      setOptions({ [name]: value });
      return undefined;
    });
  }
}

function startButtons() {
  byId("preset").addEventListener("change", (event) => {
    if (!event.target.value) return;
    leaveExercise();
    loadPreset(event.target.value);
  });
  byId("margin").addEventListener("input", () => loadPreset("margin"));
  byId("undo").addEventListener("click", undo);
  byId("redo").addEventListener("click", redo);
  byId("save").addEventListener("click", () => download("novikoff-lab.json", saved(), "application/json"));
  byId("link").addEventListener("click", copyLink);
  byId("help").addEventListener("click", () => byId("help-dialog").showModal());
  byId("clear").addEventListener("click", () => setPoints({ ...state.points, X: [], y: [] }));
  byId("fit").addEventListener("click", () => {
    state.view = null;
    ask();
  });
  for (const radio of document.querySelectorAll("input[name=look]")) {
    radio.addEventListener("change", () => setLook(radio.value));
  }
  byId("present").addEventListener("click", () => {
    const presenting = document.documentElement.toggleAttribute("data-presenting");
    byId("present").setAttribute("aria-pressed", String(presenting));
    draw();
    showCharts();
  });
  document.addEventListener("digits", () => {
    showStep();
    showCharts();
    refreshBeyond();
  });
  document.addEventListener("beyond", (event) => {
    openTab("beyond");
    chooseBeyond(event.detail);
  });
}

async function copyLink() {
  const link = await toLink();
  history.replaceState(null, "", link.slice(link.indexOf("#")));
  showLinkDialog(link);
  try {
    await navigator.clipboard.writeText(link);
    toast("The link is copied: it holds the points and the options.");
  } catch {
    toast("The link is in the box: it holds the points and the options.");
  }
}

function startKeys() {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea, dialog");
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typing) {
      event.preventDefault();
      (event.shiftKey ? redo : undo)();
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const onButton = event.target.closest("button, summary");
    const actions = {
      " ": onButton ? null : togglePlay,
      ",": () => stepBy(-1),
      ".": () => stepBy(1),
      Home: () => stepBy(-Infinity),
      End: () => stepBy(Infinity),
      "?": () => byId("help-dialog").showModal(),
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  });
}

async function applyTourStep(step) {
  stop();
  leaveExercise();
  Object.assign(state.options, OPTIONS);
  showOptions();
  state.k = 0;
  askFor(false);
  setLook("run");
  const ready = new Promise((resolve) => (settled = resolve));
  await loadPreset(step.points);
  await Promise.race([ready, new Promise((resolve) => setTimeout(resolve, 5000))]);
  setK(step.k === "end" ? (run.answer?.n_mistakes ?? 0) : Math.min(step.k, run.answer?.n_mistakes ?? 0));
  shown.lineOnly = step.lineOnly === true;
  showLegend();
  openTab(step.tab);
  chooseBeyond(step.beyond ?? "none");
  setLook(step.show ?? state.look);
  select(step.select ?? null);
  await Promise.race([resting(), new Promise((resolve) => setTimeout(resolve, 30000))]);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

// When no question is on its way any more.
async function resting() {
  while (document.body.dataset.asking !== "0") await new Promise((resolve) => setTimeout(resolve, 30));
}

async function restoreLink() {
  const found = /^#lab=([\w-]+)$/.exec(location.hash);
  if (!found) return false;
  try {
    await fromLink(found[1]);
    showOptions();
    return true;
  } catch {
    toast("The link does not hold a lab.", true);
    return false;
  }
}

async function start() {
  const about = await get("about");
  state.token = about.token ?? null;
  put(byId("preset"), el("option", { value: "" }, "your own"),
    ...about.presets.map((preset) => el("option", { value: preset.name, title: preset.about }, preset.title)));
  on("points", showPoints);
  on("options", () => {
    showOptions();
    ask();
  });
  on("run", () => {
    showCharts();
    settled();
    checkExercise();
  });
  on("k", () => {
    shown.lineOnly = false;
    showStep();
    moveMarkers();
  });
  on("step", showLegend);
  on("look", () => {
    document.querySelector(`input[name=look][value=${state.look}]`).checked = true;
    draw();
    showLegend();
  });
  on("asked", () => {
    showVerdict();
    showCycle();
    showStep();
  });
  on("selected", () => {
    draw();
    showTable(notes);
  });
  on("restored", () => {
    leaveExercise();
    openTab(byId(`tab-${state.tab}`) ? state.tab : "step");
    chooseBeyond(state.beyond, state.tab === "beyond");
  });
  startPlayer(about.limits);
  startEditing((points) => askVerdict(points, state.options.fit_intercept, state.view), about.limits.points);
  startUpload(about.limits, (found) => {
    notes = found;
    showTable(notes);
  });
  startBeyond(about);
  startTabs();
  startOptions();
  startButtons();
  startKeys();
  startTour(applyTourStep);
  startExercises(async (name) => {
    const ready = new Promise((resolve) => (settled = resolve));
    await loadPreset(name);
    await Promise.race([ready, new Promise((resolve) => setTimeout(resolve, 5000))]);
  });
  addEventListener("hashchange", restoreLink);
  if (!(await restoreLink())) {
    await loadPreset("and");
  }
  document.body.dataset.ready = "true";
}

start().catch(complain);
