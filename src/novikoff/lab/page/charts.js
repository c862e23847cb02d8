// The proof, live: the engine's charts. Hovering a curve moves the plot to that mistake.
import { byId, el, put, svg } from "./dom.js";
import { run, stop } from "./run.js";
import { rootSize, unitsPerPixel } from "./scene.js";
import { setK, setLook, state } from "./state.js";
import { rounded, words } from "./words.js";

const BOX = { left: 62, top: 12, width: 520, height: 190 };
const panel = byId("panel-proof");
let form = "lengths"; // or "squares": the same inequalities, as they are proven

export function showCharts() {
  const answer = run.answer;
  if (answer === null || answer.charts.length === 0) {
    put(panel, el("p", {}, answer ? "No mistake was made: there is nothing to bound." : "There is no run yet."));
    return;
  }
  const keys = answer.charts.map((chart) => chart.key);
  const drawn = answer.charts.filter((chart) => !["squares", "lengths"].includes(chart.key) || chart.key === form || !keys.includes("lengths"));
  put(panel,
    ...drawn.map((chart) => figure(chart)),
    ...(keys.includes("lengths") ? [formChoice()] : []));
  moveMarkers();
}

function formChoice() {
  const choice = (value, text) =>
    el("label", {}, el("input", { type: "radio", name: "form", value, checked: form === value,
      onchange: () => {
        form = value;
        showCharts();
        panel.querySelector(`input[value=${value}]`).focus();
      } }), el("span", {}, text));
  return el("fieldset", { class: "choices" }, el("legend", { class: "hidden" }, "The two inequalities"),
    choice("lengths", "as lengths"), choice("squares", words("`‖w_k‖²` and `w*·w_k`")));
}

const X = (share) => BOX.left + share * BOX.width;
const Y = (share) => BOX.top + (1 - share) * BOX.height;

function figure(chart) {
  const title = `chart-${chart.key}-title`;
  const drawing = svg("svg", {
    class: "chart", id: `chart-${chart.key}`, viewBox: "0 0 600 240", tabindex: 0, role: "slider", "data-key": chart.key,
    "aria-labelledby": title, "aria-valuemin": 0, "aria-valuemax": chart.steps.at(-1), "aria-valuenow": state.k,
  });
  drawing.addEventListener("pointermove", (event) => hover(event, chart, drawing));
  drawing.addEventListener("pointerdown", (event) => hover(event, chart, drawing));
  drawing.addEventListener("keydown", (event) => arrows(event, chart));
  const holder = el("figure", { class: "chart-holder" },
    el("figcaption", { id: title }, words(chart.title)), drawing, legend(chart),
    el("p", { class: "readout" }), chart.note ? el("p", { class: "note" }, words(chart.note)) : null);
  holder.chart = chart;
  requestAnimationFrame(() => paint(drawing, chart));
  return holder;
}

function paint(drawing, chart) {
  const size = Math.min(26, 0.75 * rootSize() * unitsPerPixel(drawing));
  const bottom = BOX.top + BOX.height;
  const axes = svg("g", { class: "axes", "font-size": size },
    svg("rect", { class: "frame", x: BOX.left, y: BOX.top, width: BOX.width, height: BOX.height }),
    chart.cycle ? svg("rect", { class: "cycle-band", x: X(chart.cycle[0]), y: BOX.top,
      width: Math.max(2, X(chart.cycle[1]) - X(chart.cycle[0])), height: BOX.height }) : null,
    chart.x_ticks.map((tick) => svg("text", { x: X(tick.at), y: bottom + size * 1.2, "text-anchor": "middle" }, tick.text)),
    chart.y_ticks.map((tick) => [
      svg("path", { class: "grid", d: `M${BOX.left} ${Y(tick.at)}h${BOX.width}` }),
      svg("text", { x: BOX.left - 5, y: Y(tick.at) + size * 0.35, "text-anchor": "end" }, tick.text)]),
    svg("text", { class: "name", x: BOX.left + BOX.width, y: bottom + size * 2.3, "text-anchor": "end" }, chart.x_label));
  const curves = chart.curves.map((curve) => svg("path", { class: `curve ${curve.role}`,
    d: `M${curve.places.map(([x, y]) => `${X(x)} ${Y(y)}`).join("L")}` }));
  const dots = chart.steps.length <= 40
    ? chart.curves.filter((curve) => !["bound", "floor", "limit"].includes(curve.role)).map((curve) =>
        curve.places.map(([x, y]) => svg("circle", { class: `dot ${curve.role}`, cx: X(x), cy: Y(y), r: 3 })))
    : [];
  drawing.setAttribute("viewBox", `0 0 600 ${bottom + size * 2.6}`);
  put(drawing, axes, ...curves, ...dots.flat(), svg("path", { class: "now" }));
  moveMarkers();
}

function legend(chart) {
  return el("ul", { class: "legend" }, chart.curves.map((curve) =>
    el("li", {}, svg("svg", { viewBox: "0 0 24 8", class: "swatch", "aria-hidden": "true" },
      svg("path", { class: `curve ${curve.role}`, d: "M1 4H23" })), el("span", {}, words(rounded(curve.name))))));
}

// The mistake whose place on the curves is nearest to the pointer.
function nearest(chart, share) {
  const places = chart.curves[0].places;
  let best = 0;
  for (let i = 1; i < places.length; i += 1) {
    if (Math.abs(places[i][0] - share) < Math.abs(places[best][0] - share)) best = i;
  }
  return chart.steps[best];
}

function hover(event, chart, drawing) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
  if (point.x < BOX.left - 8 || point.x > BOX.left + BOX.width + 8) return;
  stop();
  setLook("run");
  setK(nearest(chart, (point.x - BOX.left) / BOX.width));
}

function arrows(event, chart) {
  const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  stop();
  setK(Math.max(0, Math.min(chart.steps.at(-1), state.k + by)));
}

// The upright line at the mistake that the plot shows, and the values there.
export function moveMarkers() {
  for (const holder of panel.querySelectorAll("figure")) {
    const chart = holder.chart;
    let i = chart.steps.findIndex((step) => step >= state.k);
    if (i < 0) i = chart.steps.length - 1;
    const x = X(chart.curves[0].places[i][0]);
    holder.querySelector(".now")?.setAttribute("d", `M${x} ${BOX.top}v${BOX.height}`);
    const values = chart.curves.map((curve) => `${quantity(curve.name)} = ${rounded(curve.texts[i])}`);
    const text = `k = ${chart.steps[i]}: ${values.join(", ")}`;
    put(holder.querySelector(".readout"), words(text));
    const drawing = holder.querySelector("svg.chart");
    drawing.setAttribute("aria-valuenow", state.k);
    drawing.setAttribute("aria-valuetext", text.replaceAll("`", ""));
  }
}

// What a curve shows, without the value that stands in its name: “`R²/γ² = 51`, …” is `R²/γ²`.
const quantity = (name) => (name.includes(" = ") ? `${name.split(" = ")[0]}\`` : name);
