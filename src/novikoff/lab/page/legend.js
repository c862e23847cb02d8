// The legend of the plot: only what is drawn just now.
import { byId, el, put, svg } from "./dom.js";
import { isInSight, marker, shown } from "./plot.js";
import { state } from "./state.js";
import { words } from "./words.js";

const stroke = (name) => svg("path", { class: name, d: "M1 8H31" });
const circle = (name, r = 6) => svg("circle", { class: name, cx: 16, cy: 8, r });

function entry(drawing, text) {
  return el("li", {}, svg("svg", { viewBox: "0 0 32 16", class: "swatch", "aria-hidden": "true" }, drawing), el("span", {}, words(text)));
}

export function showLegend() {
  const answer = shown.verdict;
  if (!answer) return;
  const [minus, plus] = state.points.classes;
  const entries = [entry(marker(1, 16, 8, 6), plus === "+1" ? "class +1" : `${plus} (+1)`),
    entry(marker(-1, 16, 8, 6), minus === "−1" ? "class −1" : `${minus} (−1)`)];
  if (state.look === "verdict") entries.push(...ofVerdict(answer));
  if (state.look === "run" && shown.step) entries.push(...ofRun(shown.step));
  put(byId("legend"), ...entries);
}

function ofVerdict({ marks, verdict }) {
  const entries = [];
  if (marks.line) entries.push(entry(stroke("separator"), verdict.word === "touching" ? "weak separator" : "the line with the widest band"));
  if (marks.band) entries.push(entry(svg("rect", { class: "band", x: 2, y: 2, width: 28, height: 12 }), "the band: half its width is the geometric margin"));
  for (const hull of marks.hulls) entries.push(entry(svg("rect", { class: `hull ${hull.kind}`, x: 2, y: 2, width: 28, height: 12 }), hull.label));
  if (marks.shared) entries.push(entry(svg("path", { class: "star", d: "M16 1 18 6 24 6 19 9 21 15 16 11 11 15 13 9 8 6 14 6Z" }), marks.shared.label));
  if (marks.ringed.length) entries.push(entry(circle("ring"), marks.ringed_label));
  return entries;
}

function ofRun(step) {
  const entries = [];
  const alone = shown.lineOnly;
  if (isInSight(step.old_line) && !alone) entries.push(entry(stroke("old-line"), "w before the mistake"));
  if (isInSight(step.new_line)) entries.push(entry(stroke("new-line"), alone ? "the line of w" : "w after it"));
  if (step.row !== null && !alone) entries.push(entry(circle("mistake"), "the mistake"));
  if (step.k > 0 && step.wrong.length) entries.push(entry(svg("path", { class: "cross", d: "M12 4l8 8m0-8l-8 8" }), "wrong now"));
  return entries;
}
