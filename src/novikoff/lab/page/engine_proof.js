// Certificates, written and checked: the file format of novikoff, exact and without the solver.
import { dot, echelon, lcm, ratio, sign, textOf } from "./engine_exact.js";
import { exactOf, verdictOf } from "./engine_verdict.js";

// SHA-256 (FIPS 180-4). Browsers offer one only where the page came over https.
const primes = [];
for (let p = 2; primes.length < 64; p += 1) if (primes.every((q) => p % q)) primes.push(p);
const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) >>> 0;
const K = primes.map((p) => fraction(Math.cbrt(p)));

export function sha256(bytes) {
  const H = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const data = new Uint8Array(length);
  data.set(bytes);
  data[bytes.length] = 0x80;
  const view = new DataView(data.buffer);
  view.setUint32(length - 8, Math.floor((bytes.length * 8) / 2 ** 32));
  view.setUint32(length - 4, (bytes.length * 8) >>> 0);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  const w = new Uint32Array(64);
  for (let at = 0; at < length; at += 64) {
    for (let i = 0; i < 64; i += 1) {
      if (i < 16) w[i] = view.getUint32(at + 4 * i);
      else {
        const [a, b] = [w[i - 15], w[i - 2]];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
      }
    }
    let [a, b, c, d, e, f, g, h] = H;
    for (let i = 0; i < 64; i += 1) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) >>> 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (H[i] = (H[i] + value) >>> 0));
  }
  return H.map((value) => value.toString(16).padStart(8, "0")).join("");
}

// The matrix row by row as little-endian float64, then the labels, one signed byte each.
function dataDigest({ X, y }) {
  const d = X[0].length;
  const bytes = new Uint8Array(X.length * d * 8 + y.length);
  const view = new DataView(bytes.buffer);
  X.flat().forEach((value, i) => view.setFloat64(8 * i, value + 0, true));
  y.forEach((label, i) => view.setInt8(X.length * d * 8 + i, label));
  return sha256(bytes);
}

// JSON as Python writes it: only ASCII, and, in the file, a space after commas and colons.
function json(value, spaced, byKey = false) {
  if (Array.isArray(value)) return `[${value.map((item) => json(item, spaced, byKey)).join(spaced ? ", " : ",")}]`;
  if (value !== null && typeof value === "object") {
    const keys = byKey ? Object.keys(value).sort() : Object.keys(value);
    return `{${keys.map((key) => `${json(key, spaced)}${spaced ? ": " : ":"}${json(value[key], spaced, byKey)}`).join(spaced ? ", " : ",")}}`;
  }
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const digestOf = (fields) => {
  const { digest: _, ...content } = fields;
  return sha256(new TextEncoder().encode(json(content, false, true)));
};

export function certificateOf(points, bias, kind, { weights, intercept, alpha }) {
  const fields = {
    format: "novikoff-certificate", version: 1, kind,
    n: points.X.length, d: points.names.length, fit_intercept: bias, decimals: points.decimals !== false,
    encoding: "dense-float64", data_sha256: dataDigest(points),
    columns: [...points.names], label: null, classes: [...(points.classes ?? ["−1", "+1"])],
  };
  if (weights) Object.assign(fields, { weights: weights.map(textOf), intercept: textOf(intercept) });
  if (alpha) Object.assign(fields, { rows: alpha.map(([row]) => row), alpha: alpha.map(([, value]) => textOf(value)) });
  return { ...fields, digest: digestOf(fields) };
}

export function certificate({ points, fit_intercept: bias = true }) {
  const found = verdictOf(points, bias);
  const made = certificateOf(points, bias, found.word, {
    weights: found.exactWeights && divided([...found.exactWeights, found.exactIntercept]).slice(0, -1),
    intercept: found.exactWeights && divided([...found.exactWeights, found.exactIntercept]).at(-1),
    alpha: found.alpha && [...found.alpha],
  });
  const lines = Object.entries(made).map(([key, value]) => `  ${json(key, true)}: ${json(value, true)}`);
  return { certificate: made, text: `{\n${lines.join(",\n")}\n}\n` };
}

// The same direction in whole numbers without a common divisor.
function divided(values) {
  const whole = values.map(([n]) => n);
  const shared = whole.reduce((all, n) => (all === 0n ? n : ratio(n, all) && gcdOf(all, n)), 0n) || 1n;
  const size = shared < 0n ? -shared : shared;
  return whole.map((n) => ratio(n / size));
}
const gcdOf = (a, b) => (b ? gcdOf(b, a % b) : a);

function rationalOf(text) {
  if (!/^-?\d{1,5000}(\/[1-9]\d{0,5000})?$/.test(text)) throw new Error(`${text} is not a fraction`);
  const [n, d = "1"] = text.split("/");
  return ratio(BigInt(n), BigInt(d));
}

export function verify({ points, certificate: claim }) {
  const reason = whyInvalid(points, claim);
  return reason === null ? { valid: true, reason: proven(claim) } : { valid: false, reason };
}

function whyInvalid(points, claim) {
  if (claim.format !== "novikoff-certificate" || claim.version !== 1) return "this is not a certificate of this version.";
  if (claim.digest !== digestOf(claim)) return "the digest does not match: the certificate was changed after it was written.";
  const classes = points.classes ?? ["−1", "+1"];
  const same = claim.n === points.X.length && claim.d === points.names.length
    && claim.classes.every((name, i) => String(name) === classes[i]) && claim.data_sha256 === dataDigest(points);
  if (!same) return "it is about other points: their numbers or labels differ from these.";
  if (!["separable", "touching", "overlapping", "not separable"].includes(claim.kind)) return `this page checks no certificate of “${claim.kind}”: run novikoff verify.`;
  let weights;
  let alpha;
  try {
    weights = claim.weights?.map(rationalOf).concat([rationalOf(claim.intercept)]);
    alpha = claim.alpha?.map(rationalOf);
  } catch (error) {
    return `a number cannot be read: ${error.message}.`;
  }
  const exact = exactOf({ ...points, decimals: claim.decimals });
  const rows = exact.whole.map((row, i) => [...row, ...(claim.fit_intercept ? [exact.scale] : [])].map((value) => value * BigInt(points.y[i])));
  if (claim.kind === "separable" || claim.kind === "touching") {
    const reason = sidesReason(rows, weights, claim);
    if (reason) return reason;
  }
  if (claim.kind === "separable") return null;
  if (!alpha || alpha.length === 0 || alpha.length !== claim.rows.length || alpha.some((value) => value[0] <= 0n)) return "α must be greater than 0 on its rows.";
  if (claim.rows.some((row) => !rows[row])) return "α speaks of a row that is not there.";
  const scale = alpha.reduce((all, value) => lcm(all, value[1]), 1n);
  const sum = rows[0].map((_, j) => claim.rows.reduce((total, row, k) => total + (rows[row][j] * alpha[k][0] * scale) / alpha[k][1], 0n));
  if (sum.some((value) => value !== 0n)) return "Σ αyx̂ is not 0.";
  if (claim.kind !== "overlapping") return null;
  const rank = (list) => echelon(list).pivots.length;
  return rank(claim.rows.map((row) => rows[row])) < rank(rows) ? "the rows of α have a smaller rank than all rows." : null;
}

function sidesReason(rows, weights, claim) {
  if (!weights || weights.length !== claim.d + 1) return "the weights are missing.";
  const scale = weights.reduce((all, value) => lcm(all, value[1]), 1n);
  const whole = weights.map(([n, d]) => (n * scale) / d).slice(0, rows[0].length);
  const sides = rows.map((row) => sign(dot(row, whole)));
  const wrong = sides.findIndex((side) => (claim.kind === "separable" ? side <= 0 : side < 0));
  if (wrong >= 0) return `row ${wrong} is on the wrong side.`;
  return sides.every((side) => side === 0) ? "every score is 0." : null;
}

function proven(claim) {
  const zero = `Σ αyx̂ = 0 with α > 0 on ${claim.rows?.length ?? 0} rows`;
  return {
    separable: `y(w·x + b) > 0 on all ${claim.n} rows.`,
    touching: `y(w·x + b) ≥ 0 on all ${claim.n} rows and not everywhere 0, and ${zero}.`,
    overlapping: `${zero}, whose rank is that of all rows.`,
    "not separable": `${zero}.`,
  }[claim.kind];
}
