// The plot: points, the verdict's shapes, the run's lines, and whatever lies beyond.
import { arrowHead, showCompass, turnCompass } from "./compass.js";
import { byId, put, svg } from "./dom.js";
import { lineBetween, mayMove } from "./motion.js";
import { FRAME, rootSize, Scene, unitsPerPixel } from "./scene.js";
import { state } from "./state.js";

const node = byId("plot");
const MOST_CROSSES = 400;

// What is drawn: the newest answers of the engine, and the points that they are about (which may be
// on their way under the pointer). `beyond` holds what its tab adds, `own` a line of the reader's
// and the rows that it gets wrong.
// The plot shows one of run, verdict and beyond at a time: state.look says which. `lineOnly` leaves
// the mistake out of the run, and what was before it.
export const shown = { points: null, verdict: null, step: null, beyond: null, cursor: null, own: null, lineOnly: false };
let scene = null;
let gliding = 0;

export const currentScene = () => scene;

export function draw() {
  const answer = shown.verdict;
  if (answer === null) return;
  cancelAnimationFrame(gliding);
  const looks = (what) => state.look === what;
  scene = new Scene(answer.plane.view);
  const unit = unitsPerPixel(node);
  const size = 0.8 * rootSize() * unit;
  const marks = 0.42 * rootSize() * unit;
  makeRoom(size);
  put(node,
    svg("defs", {}, clip(), arrowHead("head-normal"), arrowHead("head-run")),
    axes(answer.plane, size),
    svg("g", { "clip-path": "url(#inside)" },
      looks("beyond") ? regions() : null,
      looks("verdict") ? verdictUnder(answer.marks, marks) : null,
      looks("run") ? runLines() : null,
      looks("beyond") ? beyondLines() : null,
      line(shown.own?.line, "own-line")),
    points(answer, marks),
    looks("verdict") ? verdictOver(answer, marks, size) : null,
    shown.own ? svg("g", { class: "run-marks" }, crosses(shown.own.wrong, answer, marks))
      : looks("run") ? runMarks(answer, marks) : null,
    cursor(marks));
  showCompass(looks("run") && !shown.lineOnly ? shown.step : null, state.asked ? answer.marks.direction : null);
  node.setAttribute("aria-label", describe(answer));
}

// The words beside the axes keep their size on a small screen, so they need more of the drawing.
function makeRoom(size) {
  const left = Math.min(FRAME.left, FRAME.left - 8 - 2.6 * size);
  const bottom = FRAME.top + FRAME.height + 2.7 * size;
  node.setAttribute("viewBox", `${left} 0 ${FRAME.left + FRAME.width + 12 - left} ${bottom}`);
}

// From the step before to this one: the mistake pulls, w turns, and the line glides with it.
export function glide(before, after) {
  draw();
  const path = node.querySelector(".new-line");
  const arrowPath = node.querySelector(".run-normal");
  if (!mayMove() || state.look !== "run" || !path || !before?.new_line) return;
  const pulls = after.k > before.k ? shown.verdict.places[after.row] : null;
  const pull = pulls ? svg("path", { class: "pull" }) : null;
  if (pull) path.after(pull);
  const started = performance.now();
  const frame = (now) => {
    const share = Math.min(1, (now - started) / 320);
    const segment = lineBetween(before.new_line, after.new_line, share);
    path.setAttribute("d", scene.path(segment));
    pull?.setAttribute("d", scene.path([pulls, footOn(segment, pulls)]));
    turnCompass(before.compass.new, after.compass.new, share);
    if (arrowPath && before.normal && after.normal) {
      const ends = ({ start, end }) => [start, end];
      arrowPath.setAttribute("d", scene.path(lineBetween(ends(before.normal), ends(after.normal), share, true)));
    }
    if (share < 1) gliding = requestAnimationFrame(frame);
    else pull?.remove();
  };
  frame(started);
}

// The place of a line that is nearest to a point.
function footOn([[x0, y0], [x1, y1]], [x, y]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const along = ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy);
  return [x0 + along * dx, y0 + along * dy];
}

// Whether a line crosses what is seen: two corners of the view are on different sides of it.
export function isInSight(segment) {
  if (!segment) return false;
  const [[x0, y0], [x1, y1]] = segment;
  const { left, right, bottom, top } = shown.verdict.plane.view;
  const sides = [left, right].flatMap((x) => [bottom, top].map((y) => (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)));
  return Math.min(...sides) <= 0 && Math.max(...sides) >= 0;
}

// A ring that passes over an example while it is looked at.
export function lookAt(row) {
  node.querySelector(".looked")?.remove();
  const place = row === null ? null : shown.verdict?.places[row];
  if (!place) return;
  const [cx, cy] = scene.at(place);
  node.append(svg("circle", { class: "looked", cx, cy, r: 0.42 * rootSize() * unitsPerPixel(node) * 2.3 }));
}

function describe(answer) {
  const { X, names } = shown.points;
  const word = answer.verdict ? (state.asked ? answer.verdict.headline : "") : (answer.message ?? "");
  return `Plot of ${X.length} points over ${names.slice(0, 2).join(" and ")}. ${word}`;
}

function clip() {
  const { left, top, width, height } = FRAME;
  return svg("clipPath", { id: "inside" }, svg("rect", { x: left, y: top, width, height }));
}

function axes(plane, size) {
  const { left, top, width, height } = FRAME;
  const bottom = top + height;
  const group = svg("g", { class: "axes", "font-size": size });
  group.append(svg("rect", { class: "frame", x: left, y: top, width, height }));
  for (const tick of plane.x_ticks) {
    const x = scene.x(tick.at);
    group.append(
      svg("path", { class: "grid", d: `M${x} ${top}V${bottom}` }),
      svg("text", { x, y: bottom + size * 1.15, "text-anchor": "middle" }, tick.text));
  }
  for (const tick of plane.y_ticks) {
    const y = scene.y(tick.at);
    group.append(
      svg("path", { class: "grid", d: `M${left} ${y}H${left + width}` }),
      svg("text", { x: left - 6, y: y + size * 0.35, "text-anchor": "end" }, tick.text));
  }
  group.append(
    svg("text", { class: "name", x: left + width, y: bottom + size * 2.35, "text-anchor": "end" }, short(plane.labels[0])),
    svg("text", { class: "name", x: left + 7, y: top + size * 1.2 }, short(plane.labels[1])));
  return group;
}

const short = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

export function marker(sign, x, y, size) {
  if (sign < 0) return svg("circle", { class: "mark minus", cx: x, cy: y, r: size });
  const [up, side, down] = [1.25 * size, 1.15 * size, 0.85 * size];
  return svg("path", { class: "mark plus", d: `M${x} ${y - up}L${x + side} ${y + down}L${x - side} ${y + down}Z` });
}

function points(answer, size) {
  const group = svg("g", { class: "points" });
  const many = answer.places.length > 300 ? 0.7 : 1;
  answer.places.forEach((place, i) => {
    const [x, y] = scene.at(place);
    const mark = marker(shown.points.y[i], x, y, size * many);
    mark.dataset.row = i;
    mark.append(svg("title", {}, `Point ${i}: (${shown.points.X[i].slice(0, 6).join(", ")})`));
    group.append(mark);
    if (i === state.selected) group.append(svg("circle", { class: "selected", cx: x, cy: y, r: size * 2.1 }));
  });
  return group;
}

const line = (segment, name, attributes = {}) =>
  segment ? svg("path", { class: name, d: scene.path(segment), ...attributes }) : null;

function verdictUnder(marks, size) {
  const group = svg("g", { class: "verdict-shapes" });
  for (const hull of marks.hulls) {
    group.append(svg("path", { class: `hull ${hull.kind}`, d: scene.path(hull.corners, hull.corners.length > 2) }));
  }
  if (marks.band) group.append(svg("path", { class: "band", d: scene.path(marks.band, true) }));
  const separator = line(marks.line, "separator");
  if (separator) group.append(separator);
  if (marks.normal) group.append(arrow(marks.normal, "normal", "head-normal"));
  if (marks.shared) {
    const [x, y] = scene.at(marks.shared.place);
    group.append(svg("path", { class: "star", d: star(x, y, size * 2.2) }, svg("title", {}, marks.shared.label)));
  }
  return group;
}

function arrow({ start, end }, name, head) {
  return svg("path", { class: name, d: scene.path([start, end]), "marker-end": `url(#${head})` });
}

function verdictOver(answer, size, font) {
  const group = svg("g", { class: "verdict-marks", "font-size": font });
  for (const row of answer.marks.ringed) {
    const [cx, cy] = scene.at(answer.places[row]);
    group.append(svg("circle", { class: "ring", cx, cy, r: size * 1.75 }));
  }
  const taken = new Map();
  for (const { row, text } of answer.marks.alpha) {
    const [x, y] = scene.at(answer.places[row]);
    const key = `${Math.round(x / 30)},${Math.round(y / 20)}`;
    const above = taken.get(key) ?? 0;
    taken.set(key, above + 1);
    group.append(svg("text", { class: "alpha", x: x + size * 1.7, y: y - size * 1.2 - above * font * 1.05 }, `α = ${text}`));
  }
  return group;
}

// Five points on a circle and five within, the first one up.
const STAR = [
  [0, -1], [0.26, -0.36], [0.95, -0.31], [0.42, 0.14], [0.59, 0.81],
  [0, 0.44], [-0.59, 0.81], [-0.42, 0.14], [-0.95, -0.31], [-0.26, -0.36],
];

const star = (x, y, size) =>
  `M${STAR.map(([dx, dy]) => `${x + dx * size} ${y + dy * size}`).join("L")}Z`;

function runLines() {
  const step = shown.step;
  if (!step) return null;
  return svg("g", { class: "run" },
    shown.lineOnly ? null : line(step.old_line, "old-line"),
    line(step.new_line, "new-line"),
    step.normal ? arrow(step.normal, "run-normal", "head-run") : null);
}

// On the points that are wrong.
function crosses(rows, answer, size) {
  const s = size * 0.55;
  return rows.filter((row) => row < answer.places.length).slice(0, MOST_CROSSES).map((row) => {
    const [x, y] = scene.at(answer.places[row]);
    return svg("path", { class: "cross", d: `M${x - s} ${y - s}l${2 * s} ${2 * s}m0 ${-2 * s}l${-2 * s} ${2 * s}` });
  });
}

function runMarks(answer, size) {
  const step = shown.step;
  if (!step || step.k === 0 || shown.lineOnly || answer.places.length === 0) return null;
  const group = svg("g", { class: "run-marks" }, crosses(step.wrong, answer, size));
  if (step.row !== null && step.row < answer.places.length) {
    const [cx, cy] = scene.at(answer.places[step.row]);
    group.append(svg("circle", { class: "mistake", cx, cy, r: size * 2.3 }));
  }
  return group;
}

function regions() {
  const drawn = shown.beyond?.regions;
  if (!drawn) return null;
  const rings = (list) => list.map((ring) => scene.path(ring, true)).join("");
  return svg("g", { class: "regions" },
    svg("path", { class: "plus", "fill-rule": "evenodd", d: rings(drawn.plus) }),
    svg("path", { class: "minus", "fill-rule": "evenodd", d: rings(drawn.minus) }),
    drawn.border.map((border) => svg("path", { class: "border", d: scene.path(border) })));
}

function beyondLines() {
  const drawn = shown.beyond;
  if (!drawn) return null;
  const group = svg("g", { class: "beyond-lines" });
  (drawn.lines ?? []).forEach(({ name, line: segment }) => {
    const path = line(segment, `contender ${name}`);
    if (path) group.append(path);
  });
  const ring = (rows, name, r) => (rows ?? []).forEach((row) => {
    const place = shown.verdict.places[row];
    if (!place) return;
    const [cx, cy] = scene.at(place);
    group.append(svg("circle", { class: name, cx, cy, r }));
  });
  ring(drawn.regions?.support, "support", 11);
  ring(drawn.rows, "given-up", 13);
  ring(drawn.conflict, "conflict", 18);
  return group;
}

function cursor(size) {
  if (!shown.cursor) return null;
  const [x, y] = scene.at(shown.cursor);
  return svg("path", { class: "cursor", d: `M${x - size * 2} ${y}h${size * 4}M${x} ${y - size * 2}v${size * 4}` });
}

new ResizeObserver(() => draw()).observe(node);
