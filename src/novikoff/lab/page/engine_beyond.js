// Beyond the line: the fewest errors, the lift to three dimensions, polynomial lifts, the network of XOR.
import { dot } from "./engine_exact.js";
import { Refused } from "./engine_run.js";
import { general, short } from "./engine_text.js";
import { decide, exactOf } from "./engine_verdict.js";
import { stageOf } from "./engine_view.js";

const MOST_TRIED = 120;

// The fewest errors, by trying every way in which a line can part the points.
export function fewest({ points, fit_intercept: bias = true, view = null }) {
  if (points.X.length > MOST_TRIED) throw new Refused(`With more than ${MOST_TRIED} points run: novikoff fewest FILE --label COLUMN`);
  const { whole } = exactOf(points);
  const { y } = points;
  const all = y.map((_, i) => i);
  let best = all;
  for (const sides of partings(whole, bias)) {
    const wrong = all.filter((i) => sides[i] !== y[i]);
    if (wrong.length < best.length) best = wrong;
  }
  const right = all.filter((i) => !best.includes(i));
  const stage = stageOf(points, view);
  const both = [1, -1].every((sign) => right.some((i) => y[i] === sign));
  const found = both ? decide(part(points, right), bias) : null;
  const conflicts = disjoint(points, bias);
  const errors = (n) => `${n} error${n === 1 ? "" : "s"}`;
  const rows = best.length === 1 ? `row ${best[0]}` : `rows ${best.join(", ")}`;
  const sentence = best.length === 0
    ? "fewest errors: 0, proven. No errors: a hyperplane separates all rows that count."
    : `fewest errors: ${best.length}, proven. At least ${errors(best.length)}: every way in which a line can part these points was tried. At most ${errors(best.length)}: a line is wrong on ${rows} only.`;
  return { least: best.length, most: best.length, proven: true, given_up: best, conflicts,
    line: found && stage.line(found.weights, found.intercept), sentence };
}

const part = (points, rows) => ({ ...points, X: rows.map((i) => points.X[i]), y: rows.map((i) => points.y[i]) });

// Conflicts that share no row: each forces an error of its own.
function disjoint(points, bias) {
  const found = [];
  let left = points.y.map((_, i) => i);
  for (;;) {
    const mine = part(points, left);
    if (left.length === 0 || (bias && new Set(mine.y).size < 2)) return found;
    const verdict = decide(mine, bias);
    if (verdict.word === "separable") return found;
    const rows = [...verdict.conflict.keys()].map((i) => left[i]);
    found.push(rows);
    left = left.filter((i) => !rows.includes(i));
  }
}

// The sides of all points, for every way in which a hyperplane can part them strictly. A line can be
// moved until it passes through two points; from there it is turned and shifted a little.
function* partings(whole, bias) {
  const d = whole[0].length;
  const sign = (a) => (a > 0n ? 1 : a < 0n ? -1 : 0);
  const both = function* both(sides) {
    yield sides;
    yield sides.map((side) => -side);
  };
  if (!bias) {
    const lines = d === 1 ? [[1n]] : whole.filter(([x, y]) => x !== 0n || y !== 0n).map(([x, y]) => [-y, x]);
    for (const w of lines) {
      const sides = whole.map((x) => sign(dot(x, w)));
      if (d === 1) yield* both(sides);
      else for (const turn of [1, -1]) yield* both(sides.map((side, i) => side || turn * sign(dot(whole[i], [w[1], -w[0]]))));
    }
    return;
  }
  const lines = d === 1 ? [null] : whole.flatMap((p, i) => whole.slice(0, i).map((q) => [p, q])).filter(([p, q]) => p[0] !== q[0] || p[1] !== q[1]);
  if (lines.length === 0) yield* both(whole.map(() => 1));
  for (const line of lines) {
    const across = line && [line[0][1] - line[1][1], line[1][0] - line[0][0]];
    const along = line ? [line[1][0] - line[0][0], line[1][1] - line[0][1]] : [1n];
    const side = whole.map((x) => (line ? sign(dot(x, across) - dot(line[0], across)) : 0));
    const at = whole.map((x) => dot(x, along));
    const cuts = [...new Set(at.filter((_, i) => side[i] === 0))];
    const most = cuts.reduce((a, b) => (a > b ? a : b));
    for (const cut of [...cuts, most + 1n]) {
      for (const turn of [1, -1]) yield* both(side.map((s, i) => s || (at[i] < cut ? turn : -turn)));
    }
  }
}

// The lift (x₁, x₂, x₁x₂) in three dimensions: as novikoff.lab.engine.space.
const LINES = 7;
const BENDS = 13;
const ROOM = 1.12;
const inner = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const between = (low, high, count) => Array.from({ length: count }, (_, i) => (i === count - 1 ? high : low + (i * (high - low)) / (count - 1)));

function twoColumns(points, what) {
  if (points.names.length !== 2) throw new Refused(`${what} for two columns, and these points have ${points.names.length}: choose two.`);
}

export function space({ points, azimuth = -62, elevation = 18 }) {
  twoColumns(points, "The lift is drawn");
  const lifted = points.X.map(([x, y]) => [x, y, x * y]);
  const found = decide({ ...points, X: lifted, names: ["a", "b", "c"] }, true);
  const camera = cameraOf(points.X, (azimuth * Math.PI) / 180, (elevation * Math.PI) / 180);
  const separable = found.word === "separable";
  return {
    points: seenPoints(camera, lifted, points.y, separable ? found : null),
    plane: separable ? cutOf(camera, found.weights, found.intercept) : null,
    surface: surfaceOf(camera).map((line) => line.map(camera.seen)),
    axes: [0, 1, 2].map((axis) => {
      const end = camera.low.map((value, j) => (j === axis ? camera.high[j] : value));
      return [[camera.seen(camera.low), camera.seen(end)], [...points.names, points.names.join("·")][axis]];
    }),
    word: found.word,
    sentence: separable
      ? `With the product as a third coordinate a plane separates them, with a geometric margin of ${general(found.margin)}: proven.`
      : `With the product as a third coordinate they are still ${found.word}: this lift is not enough.`,
  };
}

function cameraOf(X, a, e) {
  const ends = [0, 1].map((j) => [Math.min(...X.map((x) => x[j])), Math.max(...X.map((x) => x[j]))]);
  const halves = ends.map(([low, high]) => (high - low) / 2);
  const widest = Math.max(...halves) || 1;
  const box = ends.map(([low, high], j) => {
    const half = (halves[j] > 0 ? halves[j] : widest) * ROOM;
    return [(high + low) / 2 - half, (high + low) / 2 + half];
  });
  const heights = box[0].flatMap((x) => box[1].map((y) => x * y));
  const low = [box[0][0], box[1][0], Math.min(...heights, 0)];
  const high = [box[0][1], box[1][1], Math.max(...heights, 0)];
  const across = [-Math.sin(a), Math.cos(a), 0];
  const up = [-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e)];
  const unit = (p) => p.map((value, j) => (value - (high[j] + low[j]) / 2) / ((high[j] - low[j]) / 2 || 1));
  const toward = cross(across, up);
  return { low, high, seen: (p) => [inner(unit(p), across) / 1.75, inner(unit(p), up) / 1.75], depth: (p) => inner(unit(p), toward) };
}

function seenPoints(camera, lifted, y, found) {
  const feet = lifted.map((p) => {
    if (!found || found.weights[2] === 0) return null;
    const height = -(p[0] * found.weights[0] + p[1] * found.weights[1] + found.intercept) / found.weights[2];
    const inside = height >= 2 * camera.low[2] - 1 && height <= 2 * camera.high[2] + 1;
    return inside ? camera.seen([p[0], p[1], height]) : null;
  });
  const depths = lifted.map(camera.depth);
  return depths.map((_, i) => i).sort((i, j) => depths[i] - depths[j] || i - j)
    .map((row) => ({ row, sign: y[row], place: camera.seen(lifted[row]), foot: feet[row] }));
}

function surfaceOf(camera) {
  return [0, 1].flatMap((axis) => between(camera.low[axis], camera.high[axis], LINES).map((fixed) =>
    between(camera.low[1 - axis], camera.high[1 - axis], BENDS).map((moving) =>
      (axis === 0 ? [fixed, moving, fixed * moving] : [moving, fixed, fixed * moving]))));
}

function cutOf(camera, w, b) {
  const corners = [];
  for (let axis = 0; axis < 3; axis += 1) {
    const [i, j] = [0, 1, 2].filter((other) => other !== axis);
    for (const first of [camera.low, camera.high]) {
      for (const second of [camera.low, camera.high]) {
        if (w[axis] === 0) continue;
        const corner = [0, 0, 0];
        [corner[i], corner[j]] = [first[i], second[j]];
        corner[axis] = -(w[i] * corner[i] + w[j] * corner[j] + b) / w[axis];
        if (camera.low[axis] <= corner[axis] && corner[axis] <= camera.high[axis]) corners.push(corner);
      }
    }
  }
  if (corners.length < 3) return [];
  const middle = [0, 1, 2].map((j) => corners.reduce((sum, corner) => sum + corner[j], 0) / corners.length);
  const off = corners.map((corner) => corner.map((value, j) => value - middle[j]));
  const [first, second] = [off[0], cross(w, off[0])];
  const size = (v) => Math.hypot(...v);
  const angles = off.map((v) => Math.atan2(inner(v, second) * size(first), inner(v, first) * size(second)));
  return angles.map((_, i) => i).sort((i, j) => angles[i] - angles[j]).map((i) => camera.seen(corners[i]));
}

// Polynomial lifts, each verdict exact.
const MOST_LIFTED = 80;

function monomials(d, degree) {
  let last = [Array(d).fill(0)];
  const all = [];
  for (let k = 1; k <= degree; k += 1) {
    last = last.flatMap((powers) => powers.map((_, j) => powers.map((p, i) => p + (i === j ? 1 : 0))));
    last = [...new Map(last.map((powers) => [powers.join(), powers])).values()];
    all.push(...last);
  }
  return all;
}

export function lift({ points, max_degree: degree = 4, view = null }) {
  if (points.X.length > MOST_LIFTED) throw new Refused(`With more than ${MOST_LIFTED} points run: novikoff check FILE --label COLUMN --lift degree=2`);
  const tried = [];
  const d = points.names.length;
  for (let k = 1; k <= degree; k += 1) {
    const powers = monomials(d, k);
    const { whole, scale } = exactOf(points);
    // Each column times a power of the common denominator: no verdict changes.
    const rows = whole.map((x) => powers.map((p) => p.reduce((product, e, j) => product * x[j] ** BigInt(e), 1n)));
    const found = decideWhole(points, rows);
    const name = k === 1 ? "raw" : `degree ${k}`;
    tried.push({ name, columns: powers.length, word: found.word });
    if (found.word !== "separable") continue;
    const sentence = `Separable after the lift “${name}” to ${powers.length} columns, proven.`;
    if (d !== 2) return { tried, sentence, regions: null };
    const unit = Number(scale);
    const score = (x) => powers.reduce((sum, p, at) => sum + found.weights[at] * p.reduce((product, e, j) => product * (x[j] * unit) ** e, 1), found.intercept);
    return { tried, sentence, regions: { ...regions(points, view, score), sentence } };
  }
  return { tried, sentence: "No lift that was tried makes them separable. Others are tried by: novikoff lab", regions: null };
}

const decideWhole = (points, rows) =>
  decide({ ...points, exact: rows, X: rows, names: rows[0].map((_, j) => `z${j}`) }, true);

// The textbook's network for XOR: a₁ = max(x₁ + x₂, 0), a₂ = max(x₁ + x₂ − 1, 0), 2a₁ − 4a₂ − 1.
const XOR = { "0,0": -1, "0,1": 1, "1,0": 1, "1,1": -1 };

export function network({ points, hidden = 2, view = null }) {
  const classic = hidden === 2 && points.X.length === 4 && points.X.every((x, i) => XOR[x.join()] === points.y[i])
    && new Set(points.X.map((x) => x.join())).size === 4;
  if (!classic) throw new Refused("Training a network needs more than this page: run novikoff lab on your own machine. Here is the network of XOR: choose the points XOR.");
  const units = ([x, y]) => [Math.max(x + y, 0), Math.max(x + y - 1, 0)];
  const score = (x) => 2 * units(x)[0] - 4 * units(x)[1] - 1;
  return {
    hidden_weights: [["1", "1"], ["1", "1"]], hidden_signs: [[1, 1], [1, 1]], hidden_biases: ["0", "−1"],
    output_weights: ["2", "−4"], output_signs: [1, -1], output_bias: "−1",
    table: points.X.map((x, row) => ({
      row, inputs: x.map(short), activations: units(x).map(short), active: units(x).map((a) => a > 0),
      score: short(score(x)), predicted: score(x) >= 0 ? 1 : -1, label: points.y[row],
    })),
    sentence: "The textbook's network for XOR: 0 of 4 points wrong.",
    regions: regions(points, view, score),
  };
}

// Where a score is at least 0, where it is below, and the border: square by square.
const GRID = [120, 90];

export function regions(points, box, score) {
  const { view } = stageOf(points, box);
  const [xs, ys] = [0, 1].map((j) => between(view.centre[j] - view.half[j], view.centre[j] + view.half[j], GRID[j]));
  const z = ys.map((y) => xs.map((x) => score([x, y])));
  const made = { plus: [], minus: [], border: [], support: [], errors: 0, sentence: "" };
  for (let j = 0; j + 1 < ys.length; j += 1) {
    let start = 0;
    const close = (i, sign) => {
      if (i > start) made[sign > 0 ? "plus" : "minus"].push([[xs[start], ys[j]], [xs[i], ys[j]], [xs[i], ys[j + 1]], [xs[start], ys[j + 1]]]);
    };
    let running = 0;
    for (let i = 0; i + 1 < xs.length; i += 1) {
      const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(([a, b]) => ({ p: [xs[a], ys[b]], z: z[b][a] }));
      const signs = corners.map((corner) => (corner.z >= 0 ? 1 : -1));
      const whole = signs.every((sign) => sign === signs[0]) ? signs[0] : 0;
      if (whole !== running) {
        if (running) close(i, running);
        [start, running] = [i, whole];
      }
      if (whole) continue;
      start = i + 1;
      square(made, corners);
    }
    if (running) close(xs.length - 1, running);
  }
  return made;
}

function square(made, corners) {
  const [plus, minus, border] = [[], [], []];
  corners.forEach((corner, k) => {
    const next = corners[(k + 1) % 4];
    (corner.z >= 0 ? plus : minus).push(corner.p);
    if (corner.z >= 0 === next.z >= 0) return;
    const t = corner.z / (corner.z - next.z);
    const crossing = corner.p.map((value, j) => value + t * (next.p[j] - value));
    plus.push(crossing);
    minus.push(crossing);
    border.push(crossing);
  });
  made.plus.push(plus);
  made.minus.push(minus);
  for (let k = 0; k + 1 < border.length; k += 2) made.border.push([border[k], border[k + 1]]);
}
