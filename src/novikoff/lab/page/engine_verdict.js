// The verdict, exactly: separable with its margins, touching or overlapping with the α that prove it.
import { digitsOf, dot, echelon, lcm, nearestPoint, nullSpace, ofDecimal, ofFloat, over, plus, ratio, rootOf, textOf, times, toFloat } from "./engine_exact.js";
import { general, long, written } from "./engine_text.js";
import { stageOf } from "./engine_view.js";

// The points as rationals, and as integers: each number times one common denominator.
export function exactOf(points) {
  if (points.exact) return { X: null, scale: 1n, whole: points.exact };
  const columns = points.names.map((_, j) => {
    const values = points.X.map((x) => x[j]);
    const decimal = points.decimals !== false && values.every((value) => digitsOf(value) <= 15);
    return values.map(decimal ? ofDecimal : ofFloat);
  });
  const scale = columns.flat().reduce((found, value) => lcm(found, value[1]), 1n);
  const X = points.X.map((_, i) => columns.map((column) => column[i]));
  return { X, scale, whole: X.map((row) => row.map(([n, d]) => (n * scale) / d)) };
}

// Rows y·x̂ in integers.
const signedRows = (exact, y, bias) =>
  exact.whole.map((row, i) => [...row, ...(bias ? [exact.scale] : [])].map((value) => value * BigInt(y[i])));

export function decide(points, bias) {
  const exact = exactOf(points);
  const rows = signedRows(exact, points.y, bias);
  const nearest = nearestPoint(rows);
  if (nearest.x.some((value) => value !== 0n)) return separable(points, exact, rows, nearest, bias);
  return meeting(points, exact, rows, nearest, bias);
}

// The square of a length of integers, in the units of the data.
const squareOf = (x, unit) => ratio(dot(x, x), unit * unit);

// Numbers as parts of the length of a vector of integers, which may be too large for a float64.
function parts(vector) {
  const unit = vector.reduce((sum, value) => sum + (value < 0n ? -value : value), 0n);
  const length = ofFloat(rootOf([dot(vector, vector), unit * unit]));
  return (n, d = 1n) => toFloat(over(ratio(n, d * unit), length));
}

function separable(points, exact, rows, nearest, bias) {
  const d = points.names.length;
  let geometric = nearest;
  let support = nearest.corral;
  if (bias) {
    const [plusRows, minusRows] = [1, -1].map((sign) => ends(exact.whole, points.y, sign));
    const pairs = plusRows.flatMap((i) => minusRows.map((j) => [i, j]));
    geometric = nearestPoint(pairs.map(([i, j]) => exact.whole[i].map((value, k) => value - exact.whole[j][k])));
    support = [...new Set(geometric.corral.flatMap((at) => pairs[at]))];
  }
  const w = geometric.x;
  // Halfway between the classes: b = −(least of +1 plus greatest of −1) / 2.
  const along = exact.whole.map((row) => dot(row, w));
  let b = 0n;
  if (bias) {
    const near = along.reduce((least, value, i) => (points.y[i] > 0 && (least === null || value < least) ? value : least), null);
    const far = along.reduce((most, value, i) => (points.y[i] < 0 && (most === null || value > most) ? value : most), null);
    b = -(near + far);
  }
  const unit = exact.scale * geometric.common;
  const share = parts(w);
  const marginSquare = squareOf(w, unit);
  const R2 = rows.reduce((most, row) => {
    const square = dot(row, row);
    return square > most ? square : most;
  }, 0n);
  const gammaSquare = squareOf(nearest.x, exact.scale * nearest.common);
  const turned = parts(nearest.x);
  const reference = nearest.x.map((value) => turned(value));
  return {
    word: "separable", points, exact, rows, bias,
    weights: w.map((value) => share(value)),
    // In the plane that was scaled to integers b is for scale·x, and 2·(…) for the halves.
    intercept: bias ? share(b, 2n * exact.scale) : 0,
    exactWeights: w.map((value) => ratio(value * 2n * exact.scale)),
    exactIntercept: ratio(b),
    margin: rootOf(bias ? times(marginSquare, [1n, 4n]) : marginSquare),
    gamma: rootOf(gammaSquare),
    R: rootOf(ratio(R2, exact.scale * exact.scale)),
    bound: toFloat(over(ratio(R2, exact.scale * exact.scale), gammaSquare)),
    reference: bias ? reference : [...reference, 0],
    support: support.sort((i, j) => i - j),
    d,
  };
}

// Of a class in the plane, the corners of its hull: no other point is ever nearest.
function ends(whole, y, sign) {
  const mine = y.map((_, i) => i).filter((i) => y[i] === sign);
  if (whole[0].length !== 2 || mine.length < 8) return mine;
  return hullOf(mine, (i) => whole[i]);
}

// The corners of the hull of some items in the plane, counter-clockwise from the leftmost.
function hullOf(items, at) {
  const order = [...items].sort((i, j) => compare(at(i), at(j)));
  const unique = order.filter((i, k) => k === 0 || compare(at(order[k - 1]), at(i)) !== 0);
  if (unique.length < 3) return unique;
  const turn = (o, a, b) => (at(a)[0] - at(o)[0]) * (at(b)[1] - at(o)[1]) - (at(a)[1] - at(o)[1]) * (at(b)[0] - at(o)[0]);
  const half = (list) => {
    const made = [];
    for (const i of list) {
      while (made.length > 1 && turn(made.at(-2), made.at(-1), i) <= 0n) made.pop();
      made.push(i);
    }
    return made.slice(0, -1);
  };
  return [...half(unique), ...half([...unique].reverse())];
}

function compare(a, b) {
  for (let j = 0; j < a.length; j += 1) if (a[j] !== b[j]) return a[j] < b[j] ? -1 : 1;
  return 0;
}

const zero = (row) => row.every((value) => value === 0n);

// α on rows whose combination is 0, enlarged until they span all rows or a weak separator is left.
function meeting(points, exact, rows, nearest, bias) {
  const alpha = new Map(nearest.corral.map((i, k) => [i, nearest.shares[k]]));
  const columns = rows[0].length;
  for (;;) {
    const chosen = [...alpha.keys()].sort((i, j) => i - j);
    const basis = nullSpace(chosen.map((i) => rows[i]), columns);
    const seen = rows.map((row) => basis.map((vector) => dot(row, vector)));
    const left = seen.map((_, i) => i).filter((i) => !zero(seen[i]));
    const common = { points, exact, rows, bias, alpha: sorted(alpha), d: points.names.length, conflict: null };
    common.conflict = equalPair(points, exact) ?? conflictOf(nearest, common.alpha);
    if (left.length === 0) return { word: "overlapping", ...common };
    const found = nearestPoint(left.map((i) => seen[i]));
    if (!zero(found.x)) return touching(common, basis, found.x, seen);
    enlarge(alpha, rows, left, found);
  }
}

const sorted = (alpha) => new Map([...alpha].sort(([i], [j]) => i - j));
const READABLE = 8;

function conflictOf(nearest, alpha) {
  if (alpha.size <= READABLE) return alpha;
  return sorted(new Map(nearest.corral.map((i, k) => [i, nearest.shares[k]])));
}

// Two rows with the same point and different labels, the first such pair.
function equalPair(points, exact) {
  const first = new Map();
  let best = null;
  exact.whole.forEach((row, i) => {
    const key = row.join();
    const seen = first.get(key) ?? [];
    const other = seen.find((j) => points.y[j] !== points.y[i]);
    if (other !== undefined && !seen.paired) {
      seen.paired = true;
      if (best === null || other < best[0] || (other === best[0] && i < best[1])) best = [other, i];
    }
    seen.push(i);
    first.set(key, seen);
  });
  return best === null ? null : new Map(best.map((i) => [i, [1n, 1n]]));
}

// What the new rows add up to is a combination of the old ones: enough of the old α covers it.
function enlarge(alpha, rows, left, found) {
  const old = [...alpha.keys()];
  const added = new Map(found.corral.map((at, k) => [left[at], found.shares[k]]));
  const scale = [...added.values()].reduce((all, share) => lcm(all, share[1]), 1n);
  const sum = rows[0].map((_, j) => [...added].reduce((total, [i, share]) => total + (rows[i][j] * share[0] * scale) / share[1], 0n));
  const { matrix, pivots } = echelon(sum.map((value, j) => [...old.map((i) => rows[i][j]), value]));
  const c = old.map(() => [0n, 1n]);
  pivots.forEach((column, k) => (c[column] = ratio(matrix[k][old.length], matrix[k][column] * scale)));
  let times_ = [0n, 1n];
  old.forEach((i, k) => {
    const needed = over(plus(c[k], alpha.get(i)), alpha.get(i));
    if (plus(needed, [-times_[0], times_[1]])[0] > 0n) times_ = needed;
  });
  old.forEach((i, k) => alpha.set(i, plus(times(times_, alpha.get(i)), [-c[k][0], c[k][1]])));
  for (const [i, share] of added) alpha.set(i, share);
}

function touching(common, basis, x, seen) {
  const wHat = basis[0].map((_, j) => basis.reduce((sum, vector, k) => sum + vector[j] * x[k], 0n));
  const { d, bias, exact, points } = common;
  const w = wHat.slice(0, d);
  const b = bias ? wHat[d] * exact.scale : 0n; // for scale·x, as w is
  const largest = w.reduce((most, value) => (value > most ? value : -value > most ? -value : most), 0n);
  const floats = w.map((value) => toFloat(ratio(value, largest)));
  const length = Math.hypot(...floats);
  return {
    word: "touching", ...common,
    weights: floats.map((value) => value / length),
    intercept: toFloat(ratio(b, largest * exact.scale)) / length,
    exactWeights: w.map((value) => ratio(value * exact.scale)),
    exactIntercept: ratio(b),
    onPlane: seen.map((_, i) => i).filter((i) => zero(seen[i])),
    columns: points.names.filter((_, j) => w[j] !== 0n),
  };
}

// The answer of the API.
const HEADLINES = {
  separable: (line) => `A ${line} separates the two classes.`,
  touching: (line) => `No point is on the wrong side, but some must lie on the ${line} itself.`,
  overlapping: (line) => `No ${line} separates the two classes, not even one that touches them.`,
};
const MOST_MULTIPLIERS = 40;

let last = { key: "", verdict: null };

export function verdictOf(points, bias) {
  const key = JSON.stringify([points, bias]);
  if (last.key !== key) last = { key, verdict: decide(points, bias) };
  return last.verdict;
}

export function missing(points) {
  if (points.X.length === 0) return "No points yet. Click in the plot to add some.";
  for (const [at, sign] of [[0, -1], [1, 1]]) {
    if (!points.y.includes(sign)) return `Add a point of class ${points.classes[at]}: with one class there is nothing to separate.`;
  }
  return null;
}

const NO_MARKS = { line: null, band: null, normal: null, direction: null, hulls: [], shared: null, alpha: [], ringed: [], ringed_label: "" };

export function verdict({ points, fit_intercept: bias = true, view = null }) {
  const stage = stageOf(points, view);
  const message = missing(points);
  const found = message ? null : verdictOf(points, bias);
  return {
    plane: stage.answer(),
    places: stage.places,
    verdict: found && {
      word: found.word,
      headline: HEADLINES[found.word]("line"),
      facts: facts(found),
      why_not: found.word === "separable" ? [] : whyNot(found),
      margin: found.margin ?? null,
      mistake_bound: found.bound ?? null,
    },
    message,
    marks: found ? marksOf(stage, found) : NO_MARKS,
  };
}

const firstFew = (values) => values.slice(0, 8).map((value) => general(value)).join(", ") + (values.length > 8 ? ", …" : "");

// The rows, as the verdicts of Python list them.
function rowsText(rows) {
  const shown = rows.slice(0, 8).join(", ");
  return `${rows.length} row${rows.length === 1 ? "" : "s"}: ${shown}${rows.length > 8 ? ", …" : ""}`;
}

function facts(found) {
  if (found.word === "separable") {
    return [["weights", firstFew(found.weights)], ["intercept", general(found.intercept)],
      ["geometric margin", long(found.margin)], ["support", rowsText(found.support)]];
  }
  const rows = [...found.conflict.keys()];
  const conflict = ["conflict", `${rows.length} rows: ${rows.join(", ")}`];
  if (found.word === "overlapping") return [conflict];
  return [["columns responsible", found.columns.join(", ")], ["weak separator", firstFew(found.weights)],
    ["intercept", general(found.intercept)], ["on the plane", rowsText(found.onPlane)], conflict];
}

function marksOf(stage, found) {
  const marks = { ...NO_MARKS };
  if (found.weights) {
    marks.line = stage.line(found.weights, found.intercept);
    marks.normal = stage.normal(found.weights, found.intercept);
  }
  if (found.word === "separable") {
    marks.direction = stage.direction(found.reference);
    marks.band = stage.band(found.weights, found.intercept, found.margin);
    marks.ringed = found.support;
    marks.ringed_label = "support: the points that fix the geometric margin";
    return marks;
  }
  const rows = [...found.conflict.keys()];
  if (rows.length <= MOST_MULTIPLIERS) {
    marks.alpha = wholeAlpha(found).map(([row, value]) => ({ row, text: textOf(value).replaceAll("-", "−") }));
  }
  if (found.word === "touching") return { ...marks, ringed: found.onPlane, ringed_label: "these must lie on the line" };
  marks.ringed = rows;
  marks.ringed_label = "the points of the proof";
  marks.hulls = hulls(found);
  marks.shared = sharedPoint(found);
  return marks;
}

// α as whole numbers without a common divisor.
function wholeAlpha(found) {
  const entries = [...found.conflict];
  const scale = entries.reduce((all, [, share]) => lcm(all, share[1]), 1n);
  const whole = entries.map(([row, share]) => [row, (share[0] * scale) / share[1]]);
  const shared = whole.reduce((all, [, value]) => gcdOf(all, value), 0n);
  return whole.map(([row, value]) => [row, ratio(value / shared)]);
}

const gcdOf = (a, b) => (b ? gcdOf(b, a % b) : a);

function hulls({ points, exact, bias }) {
  const d = points.names.length;
  const place = (i) => (d === 1 ? [points.X[i][0], points.y[i]] : [...points.X[i]]);
  const all = points.X.map((_, i) => i);
  if (!bias) {
    const at = (i) => [...exact.whole[i].map((value) => value * BigInt(points.y[i])), ...(d === 1 ? [0n] : [])];
    const mirrored = (i) => [points.X[i][0] * points.y[i], d === 1 ? 0 : points.X[i][1] * points.y[i]];
    return [{ kind: "mirrored", label: "hull of all y·x", corners: hullOf(all, at).map(mirrored) }];
  }
  return [[-1, "minus"], [1, "plus"]].map(([sign, kind]) => {
    const mine = all.filter((i) => points.y[i] === sign);
    const at = (i) => (d === 1 ? [exact.whole[i][0], 0n] : exact.whole[i]);
    return { kind, label: `hull of class ${points.classes[(sign + 1) / 2]}`, corners: hullOf(mine, at).map(place) };
  });
}

function sharedPoint({ points, exact, bias, conflict }) {
  if (!bias) return { place: [0, 0], label: "the origin, which the hull holds" };
  const place = weighted(exact, [...conflict].filter(([i]) => points.y[i] > 0)).map(toFloat);
  return { place: place.length === 1 ? [place[0], 0] : place, label: "a point of both hulls" };
}

// Σ αᵢxᵢ / Σ αᵢ, or over another total.
function weighted(exact, entries, total = entries.reduce((sum, [, share]) => plus(sum, share), [0n, 1n])) {
  return exact.X[0].map((_, j) => over(entries.reduce((sum, [i, share]) => plus(sum, times(share, exact.X[i][j])), [0n, 1n]), total));
}

// Why not, in sentences: as novikoff.regression.why_not.
const LONGEST = 11;

function numberText(value) {
  const text = textOf(value);
  const most = Math.max(value[0].toString(2).replace("-", "").length, value[1].toString(2).length);
  return text.length <= LONGEST && most * Math.log10(2) <= LONGEST ? text : `≈${general(toFloat(value))}`;
}

function coordinate(value) {
  const about = toFloat(value);
  const text = written(about);
  const same = (other) => other[0] === value[0] && other[1] === value[1];
  if (text.length <= LONGEST && (same(ofDecimal(about)) || same(ofFloat(about)))) return text;
  return numberText(value);
}

const pointText = (values) => `(${values.map(coordinate).join(", ")})`;
const join = (list) => {
  const shown = list.length > 8 ? [...list.slice(0, 8), `${list.length - 8} more`] : list;
  return shown.length === 1 ? `${shown[0]}` : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
};
const joinPlus = (list) => (list.length > 8 ? [...list.slice(0, 8), `${list.length - 8} more`] : list).join(" plus ");

function whyNot(found) {
  const { points, exact, bias, conflict } = found;
  const sides = [-1, 1].map((sign) => {
    const entries = wholeAlpha(found).filter(([i]) => points.y[i] === sign);
    const label = `class ${quoted(points.classes[(sign + 1) / 2])}`;
    return { label, entries, rows: entries.map(([i]) => i) };
  });
  const sentences = bias ? meetingText(exact, sides) : combinationText(exact, sides);
  const weak = weakText(found, conflict.size);
  return [...sentences, ...inequalities(found), weak];
}

const quoted = (text) => (text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`);
const mixtureText = (side, total) => `${joinPlus(side.entries.map(([i, a]) => `${numberText(over(a, total))} of row ${i}`))} (${side.label})`;
const stepsText = (side) => `${joinPlus(side.entries.map(([i, a]) => `${numberText(a)} times row ${i}`))} (${side.label})`;

function meetingText(exact, sides) {
  const [fewer, more] = sides[0].rows.length <= sides[1].rows.length ? sides : [sides[1], sides[0]];
  const total = fewer.entries.reduce((sum, [, a]) => plus(sum, a), [0n, 1n]);
  const place = pointText(weighted(exact, fewer.entries));
  const [i] = fewer.rows;
  if (more.rows.length === 1) {
    return [`Row ${i} (${fewer.label}) and row ${more.rows[0]} (${more.label}) are the same point ${place}: every hyperplane has both on the same side, so one of them is wrong.`];
  }
  if (fewer.rows.length === 1) {
    const where = more.rows.length === 2 ? "between" : "in the hull of";
    return [
      `Row ${i} (${fewer.label}), the point ${place}, lies ${where} rows ${join(more.rows)} (${more.label}): it is ${mixtureText(more, total)}.`,
      `A hyperplane with these rows on one side also has everything between them there, and so row ${i}.`,
    ];
  }
  return [
    `The point ${place} lies in both hulls: it is ${mixtureText(fewer, total)}, and it is ${mixtureText(more, total)}.`,
    "Any separating hyperplane would have this point on both sides at once, which is impossible.",
  ];
}

function combinationText(exact, [first, second]) {
  if (!first.rows.length || !second.rows.length) {
    return [`The zero vector is ${stepsText(first.rows.length ? first : second)}: without an intercept its score is 0, and scores that are all of one sign cannot add up to 0.`];
  }
  const vector = pointText(weighted(exact, first.entries, [1n, 1n]));
  return [`The vector ${vector} is ${stepsText(first)}, and it is ${stepsText(second)}: without an intercept its score would have to be negative and positive.`];
}

function inequalities(found) {
  const alpha = wholeAlpha(found);
  if (alpha.length > 8) return [];
  const asked = alpha.map(([i]) => `row ${i} asks for ${inequality(found, i)}`);
  const most = alpha.reduce((all, [, a]) => (a[0] > all ? a[0] : all), 0n);
  const factors = most >= 10n ** BigInt(LONGEST) ? "the α of the certificate" : alpha.map(([, a]) => a[0]).join(", ");
  return [`In inequalities: ${asked.join("; ")}.`, `Multiplied by ${factors} they add up to 0 > 0: no weights satisfy them all.`];
}

function inequality({ points, exact, bias }, i) {
  const sign = BigInt(points.y[i]);
  const terms = exact.X[i].map(([n, d], j) => [[n * sign, d], `w[${points.names[j]}]`]).filter(([value]) => value[0] !== 0n);
  if (bias) terms.push([[sign, 1n], "b"]);
  const text = terms.reduce((made, [[n, d], what]) => {
    const size = n < 0n ? [-n, d] : [n, d];
    const joint = made === "" ? (n < 0n ? "−" : "") : n < 0n ? " − " : " + ";
    return `${made}${joint}${size[0] === 1n && d === 1n ? "" : `${coordinate(size)}·`}${what}`;
  }, "");
  return `${text || "0"} > 0`;
}

function weakText(found, named) {
  if (found.word === "overlapping") {
    const proof = named < found.alpha.size ? `; the certificate has ${found.alpha.size} rows that prove it.` : ".";
    return `Allowing points on the hyperplane does not help: every row would have to lie on it${proof}`;
  }
  const lie = found.onPlane.length === 1 ? `row ${found.onPlane[0]} lies` : `rows ${join(found.onPlane)} lie`;
  const these = named === 1 ? "this row lies" : "the rows named above lie";
  return `They can be kept apart by touching only: with weights on ${join(found.columns)} no point is on the wrong side, but ${lie} on the hyperplane, and ${these} on every such hyperplane.`;
}
