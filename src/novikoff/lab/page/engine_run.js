// The run of the perceptron in float64, its signs decided exactly; its steps, charts and cycle.
import { dot, lcm, ofFloat, plus, sign, times, toFloat } from "./engine_exact.js";
import { permutation, randomRows, Twister } from "./engine_random.js";
import { general, grouped, round5, short } from "./engine_text.js";
import { exactOf, verdictOf } from "./engine_verdict.js";
import { stageOf, ticksBetween } from "./engine_view.js";

const EPSILON = 2 ** -50;

// y·(w·x + b) with the right sign, and for small scores the right value: exact where float64 is in doubt.
export function score(w, x) {
  let sum = w[x.length];
  let size = Math.abs(sum);
  for (let j = 0; j < x.length; j += 1) {
    sum += w[j] * x[j];
    size += Math.abs(w[j] * x[j]);
  }
  if (Math.abs(sum) > 1e6 * EPSILON * size) return sum;
  return toFloat(x.reduce((total, value, j) => plus(total, times(ofFloat(w[j]), ofFloat(value))), ofFloat(w[x.length])));
}

const isMistake = (y, s, tie) => (s === 0 ? tie === "mistake" || (tie === "+1" ? y < 0 : y > 0) : y * s < 0);

function update(w, x, push, bias) {
  for (let j = 0; j < x.length; j += 1) w[j] += push * x[j];
  if (bias) w[x.length] += push;
}

export function makeRun(points, options) {
  const { eta0 = 1, max_iter: epochs = 1000, order = "cyclic", tie = "mistake", fit_intercept: bias = true, seed = 0 } = options;
  const { X, y } = points;
  const n = X.length;
  const made = { points, eta0, order, tie, bias, n, rounds: [], rows: [], scores: [], ends: [], status: "REACHED_MAX_ITER" };
  const w = Array(points.names.length + 1).fill(0);
  const random = order === "shuffled" || order === "random" ? new Twister(new Twister(seed).below(2 ** 31 - 2)) : null;
  const watched = X.every((x) => x.every(Number.isInteger)) && isOnGrid(eta0) && random === null;
  let [saved, lap, power] = [w.join(), 0, 1];
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    const before = made.rows.length;
    let from = epoch * n;
    const learn = (i, s) => {
      made.rounds.push(from);
      made.rows.push(i);
      made.scores.push(s);
      update(w, X[i], y[i] * eta0, bias);
    };
    if (order === "worst") {
      for (let t = 0; t < n; t += 1, from += 1) {
        const i = worst(X, y, w, tie);
        if (i < 0) break;
        learn(i, score(w, X[i]));
      }
    } else {
      const rows = random === null ? null : order === "shuffled" ? permutation(random, n) : randomRows(random, n);
      for (let t = 0; t < n; t += 1, from += 1) {
        const i = rows === null ? t : rows[t];
        const s = score(w, X[i]);
        if (isMistake(y[i], s, tie)) learn(i, s);
      }
    }
    made.ends.push(made.rows.length);
    if (made.rows.length === before) {
      const missed = order === "random" && X.some((x, i) => isMistake(y[i], score(w, x), tie));
      if (!missed) {
        made.status = "CONVERGED";
        break;
      }
    } else if (watched) {
      if (w.join() === saved) {
        made.status = "CYCLED";
        break;
      }
      lap += 1;
      if (lap === power) [saved, lap, power] = [w.join(), 0, power * 2];
    }
  }
  return made;
}

// Whether a step is a whole number of some power of two: then weights of whole numbers stay exact.
function isOnGrid(eta) {
  for (let unit = 1; unit > 1e-9; unit /= 2) if (Number.isInteger(eta / unit)) return true;
  return false;
}

// The most violated mistake, of equals the first; −1 if there is none.
function worst(X, y, w, tie) {
  let best = -1;
  let least = null;
  X.forEach((x, i) => {
    const s = score(w, x);
    if (!isMistake(y[i], s, tie)) return;
    if (best < 0 || y[i] * s < least * (1 - 1e-12 * Math.sign(least)) || exactlyLess(w, x, y[i], X[best], y[best])) {
      best = i;
      least = y[i] * s;
    }
  });
  return best;
}

function exactlyLess(w, x, y, other, z) {
  const side = (v, label) => v.reduce((sum, value, j) => plus(sum, times(ofFloat(w[j]), ofFloat(label * value))), times(ofFloat(w[v.length]), [BigInt(label), 1n]));
  const difference = plus(side(x, y), times([-1n, 1n], side(other, z)));
  return sign(difference[0]) < 0;
}

function weightsAfter(made, k) {
  const w = Array(made.points.names.length + 1).fill(0);
  for (let i = 0; i < k; i += 1) {
    const row = made.rows[i];
    update(w, made.points.X[row], made.points.y[row] * made.eta0, made.bias);
  }
  return w;
}

let last = { key: "", made: null };

function runOf(points, options) {
  const key = JSON.stringify([points, options]);
  if (last.key !== key) last = { key, made: makeRun(points, options) };
  return last.made;
}

export class Refused extends Error {}

// Steps

export function steps({ points, options = {}, first = 0, count = 1, view = null }) {
  const made = runOf(points, options);
  const total = made.rows.length;
  if (first > total) throw new Refused(`first must be at most ${total}, the mistakes of this run; got ${first}.`);
  const stage = stageOf(points, view);
  const shown = [];
  let before = weightsAfter(made, Math.max(first - 1, 0));
  for (let k = first; k <= Math.min(first + count - 1, total); k += 1) {
    const after = [...before];
    if (k > 0) update(after, points.X[made.rows[k - 1]], points.y[made.rows[k - 1]] * made.eta0, made.bias);
    shown.push(step(stage, made, k, before, after));
    before = after;
  }
  return { steps: shown, n_mistakes: total };
}

function step(stage, made, k, before, after) {
  const row = k === 0 ? null : made.rows[k - 1];
  const d = made.points.names.length;
  const cut = (w) => stage.line(w.slice(0, d), w[d]);
  const { X, y } = made.points;
  const wrong = X.map((_, i) => i).filter((i) => isMistake(y[i], score(after, X[i]), made.tie));
  const { title, words } = row === null ? startWords(made) : stepWords(made, k, before, after);
  const n = X.length;
  const rest = wrong.length === 0 ? `Now all ${n} points are right.` : `Now ${wrong.length} of ${n} points ${wrong.length === 1 ? "is" : "are"} wrong.`;
  return {
    k,
    epoch: row === null ? null : Math.floor(made.rounds[k - 1] / n) + 1,
    row,
    old_line: row === null ? null : cut(before),
    new_line: cut(after),
    normal: stage.normal(after.slice(0, d), after[d]),
    compass: {
      old: row === null ? null : stage.direction(before),
      new: stage.direction(after),
      step: row === null ? null : stage.direction(after.map((value, j) => value - before[j])),
    },
    wrong,
    title,
    words: [...words, rest],
  };
}

function startWords(made) {
  const so = {
    mistake: "every point counts as wrong",
    "+1": "the unit says +1 of every point",
    "-1": "the unit says −1 of every point",
  }[made.tie];
  const zero = made.bias ? "`w = 0` and `b = 0`" : "`w = 0`, without a bias";
  return { title: "The start", words: [`We start with ${zero}: every score is 0, so ${so}.`] };
}

const vectorText = (values) => `(${values.map(short).join(", ")})`;

function stepWords(made, k, before, after) {
  const row = made.rows[k - 1];
  const d = made.points.names.length;
  const [x, y, s] = [made.points.X[row], made.points.y[row], made.scores[k - 1]];
  const signed = y > 0 ? "+1" : "−1";
  const eta = short(made.eta0);
  const wrong = s !== 0 ? "so it is on the wrong side: a mistake."
    : made.tie === "mistake" ? "and a score of 0 counts as a mistake."
      : `and the tie rule says ${made.tie.replace("-", "−")} at a score of 0: a mistake.`;
  const [w0, w1] = [before, after].map((w) => vectorText(w.slice(0, d)));
  const bias = before[d] < 0 ? `(${short(before[d])})` : short(before[d]);
  const words = [
    `Epoch ${grouped(Math.floor(made.rounds[k - 1] / made.n) + 1)}, round ${grouped(made.rounds[k - 1] + 1)}: row ${row}, \`x = ${vectorText(x)}\`, \`y = ${signed}\`.`,
    `Score \`s = ${made.bias ? "w·x + b" : "w·x"} = ${w0}·${vectorText(x)}${made.bias ? ` + ${bias}` : ""} = ${short(s)}\`: \`y·s = ${short(y * s + 0)}\`, ${wrong}`,
    `\`w ← w + η·y·x = ${w0} + ${eta}·(${signed})·${vectorText(x)} = ${w1}\`.`,
  ];
  if (made.bias) words.push(`\`b ← b + η·y = ${short(before[d])} + ${eta}·(${signed}) = ${short(after[d])}\`.`);
  return { title: `Mistake ${grouped(k)} of ${grouped(made.rows.length)}`, words };
}

// The run as a whole

const STATUS = {
  CONVERGED: "It converged: a whole epoch without a mistake.",
  CYCLED: "It cycled: the same weights came back, so it will never stop. No separator exists.",
};
const stoppedText = (epochs) => `It stopped after ${epochs === 1 ? "1 epoch" : `${grouped(epochs)} epochs`}; the last one still had mistakes.`;

export function run({ points, options = {} }, certificateOf) {
  const made = runOf(points, options);
  const found = verdictOf(points, made.bias);
  const proof = found.word === "separable" ? inequalities(made, found) : null;
  const cycle = cycleOf(made, certificateOf);
  return {
    n_mistakes: made.rows.length,
    n_epochs: made.ends.length,
    status: made.status,
    sentence: made.status === "REACHED_MAX_ITER" ? stoppedText(made.ends.length) : STATUS[made.status],
    summary: summary(made, proof, cycle),
    charts: charts(made, proof, cycle, found),
    cycle,
  };
}

function summary(made, proof, cycle) {
  const count = (n, what) => (n === 1 ? `1 ${what}` : `${grouped(n)} ${what}s`);
  const first = `${count(made.rows.length, "mistake")} in ${count(made.ends.length, "epoch")}.`;
  if (proof !== null) {
    const counted = made.bias ? ", both with the bias counted as a weight" : "";
    return [`${first} The theorem allows \`R²/γ² = ${short(proof.bound)}\` at most (\`R = ${short(proof.R)}\`, augmented \`γ = ${short(proof.gamma)}\`${counted}).`];
  }
  if (cycle !== null) return [first, ...cycle.sentences];
  return [`${first} No separator exists, so it would never stop: \`R²/γ²\` bounds nothing here.`];
}

// ‖ŵ_k‖², ŵ*·ŵ_k and their cosine after each mistake.
function inequalities(made, found) {
  const wStar = found.reference;
  const alignment = [0];
  const cosine = [0];
  const norms = [0];
  const w = Array(wStar.length).fill(0);
  for (const row of made.rows) {
    update(w, made.points.X[row], made.points.y[row] * made.eta0, made.bias);
    const along = w.reduce((sum, value, j) => sum + value * wStar[j], 0);
    const square = w.reduce((sum, value) => sum + value * value, 0);
    alignment.push(along);
    norms.push(Math.sqrt(square) ** 2); // rounded as in Python: once as a length
    cosine.push(square > 0 ? along / Math.sqrt(square) : 0);
  }
  return { alignment, norms, cosine, gamma: found.gamma, R: found.R, bound: found.bound };
}

function squaredNorms(made) {
  const norms = [0];
  const w = Array(made.points.names.length + 1).fill(0);
  for (const row of made.rows) {
    update(w, made.points.X[row], made.points.y[row] * made.eta0, made.bias);
    norms.push(Math.sqrt(w.reduce((sum, value) => sum + value * value, 0)) ** 2);
  }
  return norms;
}

// The first time that the weights at the start of an epoch come back.
const LARGEST_SUM = 2n ** 62n;

function cycleOf(made, certificateOf) {
  if (made.status === "CONVERGED" || made.order === "shuffled" || made.order === "random") return null;
  const exact = exactOf(made.points);
  const scales = made.points.names.map((_, j) => exact.X.reduce((all, row) => lcm(all, row[j][1]), 1n));
  const rows = exact.X.map((row, i) => [...row.map(([n, d], j) => (n * scales[j]) / d), ...(made.bias ? [1n] : [])].map((value) => value * BigInt(made.points.y[i])));
  const largest = rows.flat().reduce((most, value) => (value > most ? value : -value > most ? -value : most), 0n);
  if (largest > LARGEST_SUM / 10n ** 6n || largest * BigInt(made.rows.length) > LARGEST_SUM) return null;
  const sum = rows[0].map(() => 0n);
  const seen = new Map([[sum.join(), 0]]);
  let at = 0;
  for (let epoch = 1; epoch <= made.ends.length; epoch += 1) {
    for (; at < made.ends[epoch - 1]; at += 1) rows[made.rows[at]].forEach((value, j) => (sum[j] += value));
    const key = sum.join();
    if (seen.has(key)) {
      const start = seen.get(key);
      return describe(made, start === 0 ? 0 : made.ends[start - 1], at, epoch - start, certificateOf);
    }
    seen.set(key, epoch);
  }
  return null;
}

function describe(made, first, end, epochs, certificateOf) {
  const counted = new Map();
  for (const row of made.rows.slice(first, end)) counted.set(row, (counted.get(row) ?? 0) + 1);
  const entries = [...counted].sort(([i], [j]) => i - j);
  const turn = epochs === 1 ? "one epoch" : `${grouped(epochs)} epochs`;
  const named = entries.slice(0, 12).map(([i, c]) => `${c} × row ${i}`).join(", ");
  const more = entries.length > 12 ? ` and ${entries.length - 12} more rows` : "";
  return {
    first, last: end, epochs,
    rows: entries.map(([i]) => i),
    counts: entries.map(([, c]) => c),
    sentences: [
      `It cycles: after mistake ${end} the weights are those after mistake ${first} again, ${turn} later, and everything repeats for ever.`,
      `One turn adds up to nothing, \`Σ c_i y_i x̂_i = 0\`, with c = ${named}${more}. These counts are a certificate: no separator exists. The perceptron has proven its own failure.`,
    ],
    certificate: certificateOf(made.points, made.bias, "not separable", { alpha: entries.map(([i, c]) => [i, [BigInt(c), 1n]]) }),
  };
}

// Charts

const MOST_DRAWN = 400;
const LOGARITHMIC_FROM = 30;

function charts(made, proof, cycle, found) {
  const total = made.rows.length;
  if (total === 0) return [];
  const steps_ = total < MOST_DRAWN ? Array.from({ length: total + 1 }, (_, k) => k)
    : [...new Set(Array.from({ length: MOST_DRAWN }, (_, i) => evenRound((i * total) / (MOST_DRAWN - 1))))];
  const between = cycle && [cycle.first, cycle.last];
  const byMistakes = { steps: steps_, over: steps_, label: "k, mistakes so far", cycle: between };
  const rounds = [0, ...made.rounds.map((round) => round + 1)];
  const byRounds = {
    steps: [...steps_, steps_.at(-1)],
    over: [...steps_.map((k) => rounds[k]), Math.max(made.n * made.ends.length, rounds.at(-1))],
    label: "rounds, examples presented",
    cycle: cycle && [rounds[cycle.first], rounds[cycle.last]],
  };
  const eta = made.eta0 === 1 ? "" : ` (with η = ${short(made.eta0)})`;
  const mistakes = { name: "mistakes made", role: "mistakes", values: byRounds.steps };
  if (proof === null) return withoutSeparator(made, byMistakes, byRounds, mistakes, eta, found);
  const bound = { name: `\`R²/γ² = ${short(proof.bound)}\`, augmented \`γ = ${short(proof.gamma)}\``, role: "bound", values: byRounds.steps.map(() => proof.bound) };
  const pick = (values) => steps_.map((k) => values[k]);
  const roof = steps_.map((k) => (made.eta0 * proof.R) ** 2 * k);
  const floor = steps_.map((k) => made.eta0 * proof.gamma * k);
  const norm = { name: "`‖w_k‖²`", role: "norm", values: pick(proof.norms) };
  const along = { name: "`w*·w_k`", role: "alignment", values: pick(proof.alignment) };
  const least = { name: "`kγ`", role: "floor", values: floor };
  return [
    chart(byRounds, "bound", "Mistakes stay under `R²/γ²`", [mistakes, bound], ""),
    chart(byMistakes, "squares", `\`‖w_k‖²\` stays under \`kR²\`, \`w*·w_k\` above \`kγ\`${eta}`,
      [norm, { name: "`kR²`", role: "bound", values: roof }, along, least],
      "`w*` is the unit vector of widest augmented margin, and γ that margin."),
    chart(byMistakes, "lengths", `As lengths: \`kγ ≤ w*·w_k ≤ ‖w_k‖ ≤ √k·R\`${eta}`,
      [{ name: "`√k·R`", role: "bound", values: roof.map(Math.sqrt) }, { name: "`‖w_k‖`", role: "norm", values: norm.values.map(Math.sqrt) }, along, least],
      "`kγ` is a straight line and `√k·R` bends: they meet at `k = R²/γ²`."),
    chart(byMistakes, "cosine", "So the cosine is squeezed below 1",
      [{ name: "the limit 1", role: "limit", values: steps_.map(() => 1) },
        { name: "cosine of `w_k` and `w*`", role: "cosine", values: pick(proof.cosine) },
        { name: "`√k·γ/R`", role: "floor", values: steps_.map((k) => (Math.sqrt(k) * proof.gamma) / proof.R) }], ""),
  ];
}

function evenRound(x) {
  const low = Math.floor(x);
  if (x - low !== 0.5) return Math.round(x);
  return low % 2 ? low + 1 : low;
}

function withoutSeparator(made, byMistakes, byRounds, mistakes, eta, found) {
  const norms = squaredNorms(made);
  const R2 = found.rows.reduce((most, row) => (dot(row, row) > most ? dot(row, row) : most), 0n);
  const R = Math.sqrt(toFloat([R2, 1n])) / toFloat([found.exact.scale, 1n]);
  return [
    chart(byRounds, "bound", "Mistakes never end", [mistakes], "No separator exists, so there is no γ and no bound."),
    chart(byMistakes, "squares", `\`‖w_k‖²\` stays under \`kR²\` all the same${eta}`,
      [{ name: "`‖w_k‖²`", role: "norm", values: byMistakes.steps.map((k) => norms[k]) },
        { name: "`kR²`", role: "bound", values: byMistakes.steps.map((k) => (made.eta0 * R) ** 2 * k) }],
      "The second inequality needs no separator. The first one does: there is no `w*`."),
  ];
}

function chart(sheet, key, title, lines, note) {
  const end = Math.max(sheet.over.at(-1), 1);
  const { up, ticks } = upwards(lines);
  return {
    key, title, x_label: sheet.label,
    x_ticks: ticksBetween(0, end).filter((tick) => Number.isInteger(tick.at)).map((tick) => ({ at: tick.at / end, text: tick.text })),
    y_ticks: ticks,
    curves: lines.map((line) => ({
      name: line.name, role: line.role,
      places: line.values.map((value, i) => [round5(sheet.over[i] / end), round5(up(value))]),
      texts: line.values.map(short),
    })),
    steps: sheet.steps, note,
    cycle: sheet.cycle && sheet.cycle.map((at) => at / end),
  };
}

function upwards(lines) {
  const all = lines.flatMap((line) => line.values);
  const highest = all.reduce((most, value) => Math.max(most, value), -Infinity) || 1;
  const lowest = Math.min(0, ...lines.map((line) => line.values.reduce((least, value) => Math.min(least, value), Infinity)));
  const measured = Math.max(...lines.filter((line) => !["bound", "floor", "limit"].includes(line.role)).map((line) => line.values.reduce((most, value) => Math.max(most, value), -Infinity)));
  if (lowest < 0 || !(measured > 0) || highest <= LOGARITHMIC_FROM * measured) {
    const span = highest * 1.06 - lowest;
    const ticks = ticksBetween(lowest, highest * 1.06, 5).map((tick) => ({ at: (tick.at - lowest) / span, text: tick.text }));
    return { up: (value) => (value - lowest) / span, ticks };
  }
  const least = all.reduce((found, value) => (value > 0 ? Math.min(found, value) : found), Infinity);
  const low = Math.floor(Math.log10(least));
  const high = Math.log10(highest) + 0.1;
  const powers = [...new Set(Array.from({ length: 6 }, (_, i) => evenRound(low + (i * (Math.floor(high) - low)) / 5)))];
  return {
    up: (value) => Math.min(1, Math.max(0, ((value > 0 ? Math.log10(value) : -Infinity) - low) / (high - low))),
    ticks: powers.map((power) => ({ at: (power - low) / (high - low), text: general(10 ** power) })),
  };
}
