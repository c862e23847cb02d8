// The plane that the plot shows: its view and ticks, and lines across it. As novikoff.lab.engine.stage.
import { general } from "./engine_text.js";

const ASPECT = 4 / 3;
const ROOM = 1.3;
const FLATTEST = 12;

export function stageOf(points, box = null) {
  const d = points.names.length;
  const places = points.X.map((x, i) => (d === 1 ? [x[0], points.y[i]] : [x[0], x[1]]));
  const view = viewOf(places, d, box);
  return {
    places,
    answer: () => plane(points, view, d),
    line: (w, b) => lineOf(view, d, w, b),
    band: (w, b, width) => bandOf(view, d, w, b, width),
    normal: (w, b) => normalOf(view, d, w, b),
    direction: (w) => scaled(inPlane(w, d), 0)?.[0] ?? null,
    view,
  };
}

const inPlane = (w, d) => (d === 1 ? [w[0], 0] : [w[0], w[1]]);

function viewOf(places, d, box) {
  if (box) {
    const half = [(box.right - box.left) / 2, (box.top - box.bottom) / 2];
    const centre = [(box.left + box.right) / 2, (box.bottom + box.top) / 2];
    return { centre, half, equal: d > 1 && Math.abs(half[0] / half[1] / ASPECT - 1) < 1e-6 };
  }
  if (places.length === 0) return { centre: [0, 0], half: [ASPECT, 1], equal: d > 1 };
  const low = [0, 1].map((j) => places.reduce((least, place) => Math.min(least, place[j]), Infinity));
  const high = [0, 1].map((j) => places.reduce((most, place) => Math.max(most, place[j]), -Infinity));
  const centre = [0, 1].map((j) => (low[j] + high[j]) / 2);
  let half = [0, 1].map((j) => (high[j] - low[j]) / 2);
  const largest = Math.max(...half) || Math.max(1, Math.max(...low.map(Math.abs)) / 2);
  half = half.map((size, j) => Math.max(size === 0 ? largest : size, 1e-8 * Math.abs(centre[j])));
  if (d === 1) return { centre: [centre[0], 0], half: [ROOM * half[0], 2], equal: false };
  if (Math.max(...half) > FLATTEST * Math.min(...half)) return { centre, half: half.map((size) => ROOM * size), equal: false };
  const height = ROOM * Math.max(half[1], half[0] / ASPECT);
  return { centre, half: [ASPECT * height, height], equal: true };
}

function plane(points, view, d) {
  const low = view.centre.map((c, j) => c - view.half[j]);
  const high = view.centre.map((c, j) => c + view.half[j]);
  const size = d > 1 ? Math.min(...view.half) : view.half[0];
  const digits = Math.max(0, 2 - Math.floor(Math.log10(2 * size)));
  return {
    view: { left: low[0], right: high[0], bottom: low[1], top: high[1] },
    labels: [points.names[0], d === 1 ? "class" : points.names[1]],
    is_projection: false,
    note: d === 1 ? "One column: the classes are set above each other." : view.equal ? "" : "The two axes have different scales.",
    x_ticks: ticksBetween(low[0], high[0]),
    y_ticks: d === 1 ? [{ at: -1, text: "−1" }, { at: 1, text: "+1" }] : ticksBetween(low[1], high[1]),
    digits: Math.min(digits, 12),
    nudge: Number(general(Math.max(...view.half) / 40, 1)),
    editable: true,
  };
}

// The line a·z + c = 0 with ‖a‖ = 1; null where a is 0.
function scaled(a, c) {
  const size = Math.max(Math.abs(a[0]), Math.abs(a[1]));
  if (!(size > 0) || !Number.isFinite(size)) return null;
  const [x, y] = [a[0] / size, a[1] / size];
  const length = Math.hypot(x, y);
  return [[x / length, y / length], c / size / length];
}

function foot(view, a, c) {
  const far = (a[0] * view.centre[0] + a[1] * view.centre[1] + c) / (a[0] * a[0] + a[1] * a[1]);
  return [view.centre[0] - far * a[0], view.centre[1] - far * a[1]];
}

const reach = (view) => 4 * (view.half[0] + view.half[1]);

function lineOf(view, d, w, b) {
  const line = scaled(inPlane(w, d), b);
  if (line === null) return null;
  const [a, c] = line;
  const middle = foot(view, a, c);
  const long = reach(view);
  if (!middle.every(Number.isFinite) || middle.some((m, j) => Math.abs(m - view.centre[j]) > 1e3 * long)) return null;
  return [[middle[0] + a[1] * long, middle[1] - a[0] * long], [middle[0] - a[1] * long, middle[1] + a[0] * long]];
}

function bandOf(view, d, w, b, width) {
  const line = lineOf(view, d, w, b);
  if (line === null) return null;
  const [a] = scaled(inPlane(w, d), b);
  const moved = ([x, y], by) => [x + by * a[0] * width, y + by * a[1] * width];
  return [moved(line[0], 1), moved(line[1], 1), moved(line[1], -1), moved(line[0], -1)];
}

function normalOf(view, d, w, b) {
  const line = scaled(inPlane(w, d), b);
  if (line === null || !(view.equal || d === 1)) return null;
  const start = foot(view, ...line);
  if (start.some((s, j) => Math.abs(s - view.centre[j]) > view.half[j])) return null;
  const size = 0.35 * (view.equal ? Math.min(...view.half) : view.half[0]);
  return { start, end: [start[0] + size * line[0][0], start[1] + size * line[0][1]] };
}

// Round numbers between two ends, as matplotlib's MaxNLocator chooses them.
const STEPS = [0.1, 0.2, 0.25, 0.5, 1, 2, 2.5, 5, 10, 20];

export function ticksBetween(low, high, count = 6) {
  const span = Math.abs(high - low);
  const middle = (high + low) / 2;
  const floorPower = (x) => 10 ** Math.floor(Math.log10(x));
  const offset = Math.abs(middle) / span < 100 ? 0 : Math.sign(middle) * floorPower(Math.abs(middle));
  const scale = floorPower(span / count);
  const [from, to] = [low - offset, high - offset];
  const steps = STEPS.map((step) => step * scale);
  let at = steps.findIndex((step) => step >= (to - from) / count);
  if (at < 0) at = steps.length - 1;
  let ticks = [];
  for (; at >= 0; at -= 1) {
    const step = steps[at];
    const start = Math.floor(from / step) * step;
    const first = edge(from - start, step, offset, true);
    const last = edge(to - start, step, offset, false);
    ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step + start);
    if (ticks.filter((tick) => tick <= to && tick >= from).length >= 2) break;
  }
  return ticks.map((tick) => tick + offset).filter((tick) => low <= tick && tick <= high)
    .map((tick) => ({ at: tick, text: general(tick, 10).replaceAll("-", "−") }));
}

function edge(x, step, offset, down) {
  const tolerance = offset === 0 ? 1e-10
    : Math.min(0.4999, Math.max(1e-10, 10 ** (Math.log10(Math.abs(offset) / step) - 12)));
  const whole = Math.floor(x / step);
  const part = (x - whole * step) / step;
  if (down) return Math.abs(part - 1) < tolerance ? whole + 1 : whole;
  return Math.abs(part) < tolerance ? whole : whole + 1;
}
