// Exact numbers: rationals of BigInt, the float64 nearest to one, square roots, linear algebra.

const abs = (a) => (a < 0n ? -a : a);

export function gcd(a, b) {
  [a, b] = [abs(a), abs(b)];
  while (b) [a, b] = [b, a % b];
  return a;
}

export const lcm = (a, b) => (a / gcd(a, b)) * b;

// A rational is [numerator, denominator] in lowest terms, the denominator positive.
export function ratio(n, d = 1n) {
  if (d < 0n) [n, d] = [-n, -d];
  const shared = gcd(n, d) || 1n;
  return [n / shared, d / shared];
}

export const plus = (a, b) => ratio(a[0] * b[1] + b[0] * a[1], a[1] * b[1]);
export const minus = (a, b) => ratio(a[0] * b[1] - b[0] * a[1], a[1] * b[1]);
export const times = (a, b) => ratio(a[0] * b[0], a[1] * b[1]);
export const over = (a, b) => ratio(a[0] * b[1], a[1] * b[0]);
export const sign = (a) => (a > 0n ? 1 : a < 0n ? -1 : 0);
export const textOf = (a) => (a[1] === 1n ? `${a[0]}` : `${a[0]}/${a[1]}`);

// The exact value of a float64.
export function ofFloat(x) {
  if (x === 0) return [0n, 1n];
  let power = 0;
  while (!Number.isInteger(x)) {
    x *= 2;
    power += 1;
  }
  return ratio(BigInt(x), 1n << BigInt(power));
}

// The decimal that a float64 prints as.
export function ofDecimal(x) {
  const [, whole, part = "", power = "0"] = /^(-?\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(x));
  const shift = Number(power) - part.length;
  const digits = BigInt(whole + part);
  const value = whole.startsWith("-0") && digits > 0n ? -digits : digits;
  return shift >= 0 ? [value * 10n ** BigInt(shift), 1n] : ratio(value, 10n ** BigInt(-shift));
}

// The significant digits that a float64 prints with.
export function digitsOf(x) {
  return String(Math.abs(x)).replace(/e.*/, "").replace(".", "").replace(/^0+/, "").replace(/0+$/, "").length;
}

const bits = (a) => abs(a).toString(2).length;

// The float64 nearest to a rational.
export function toFloat([n, d]) {
  if (n === 0n) return 0;
  const shift = 66 - (bits(n) - bits(d));
  const [top, bottom] = shift >= 0 ? [abs(n) << BigInt(shift), d] : [abs(n), d << BigInt(-shift)];
  let quotient = top / bottom;
  if (quotient * bottom !== top) quotient |= 1n; // what is cut off must not make a tie
  const half = Math.trunc(-shift / 2); // in two steps, for no power of two may overflow
  return Number(quotient) * 2 ** half * 2 ** (-shift - half) * sign(n);
}

function integerRoot(a) {
  if (a < 2n) return a;
  let x = 1n << BigInt((bits(a) + 1) >> 1);
  for (;;) {
    const next = (x + a / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

// The float64 nearest to the square root of a rational, or nearly.
export function rootOf([n, d]) {
  if (n === 0n) return 0;
  const shift = BigInt(Math.max(0, 140 + bits(d) - bits(n)) & ~1);
  return toFloat(ratio(integerRoot((n << shift) / d), 1n << (shift / 2n)));
}

export const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0n);

// A matrix of integers in echelon form; `pivots` are the columns of its steps. The division is without
// a remainder (Bareiss 1968), so numbers stay as short as determinants are, and no divisors are looked for.
export function echelon(rows) {
  let matrix = rows;
  const pivots = [];
  let last = 1n;
  for (let column = 0; column < (rows[0]?.length ?? 0); column += 1) {
    const at = pivots.length;
    const found = matrix.findIndex((row, i) => i >= at && row[column] !== 0n);
    if (found < 0) continue;
    const pivotal = matrix[found];
    const p = pivotal[column];
    matrix = matrix.map((row, i) => (i === found ? matrix[at] : row));
    matrix = matrix.map((row, i) => (i === at ? pivotal : row.map((value, j) => (value * p - pivotal[j] * row[column]) / last)));
    last = p;
    pivots.push(column);
  }
  return { matrix, pivots };
}

function reduced(row) {
  const shared = row.reduce((found, value) => gcd(found, value), 0n);
  return shared > 1n ? row.map((value) => value / shared) : row;
}

// Integer vectors that span what is orthogonal to the rows.
export function nullSpace(rows, columns) {
  const { matrix, pivots } = echelon(rows);
  const free = Array.from({ length: columns }, (_, j) => j).filter((j) => !pivots.includes(j));
  const common = pivots.reduce((found, column, i) => lcm(found, abs(matrix[i][column])), 1n);
  return free.map((j) => {
    const vector = Array(columns).fill(0n);
    vector[j] = common;
    pivots.forEach((column, i) => (vector[column] = (-matrix[i][j] * common) / matrix[i][column]));
    return reduced(vector);
  });
}

// x with A·x = b, as integers over one denominator; null where A is singular.
function solved(A, b) {
  const { matrix, pivots } = echelon(A.map((row, i) => [...row, b[i]]));
  if (pivots.length < A.length || pivots.includes(A.length)) return null;
  const n = A.length;
  const common = matrix.reduce((found, row, i) => lcm(found, abs(row[pivots[i]])), 1n);
  const x = Array(n).fill(0n);
  pivots.forEach((column, i) => (x[column] = (matrix[i][n] * common) / matrix[i][column]));
  return { x, common };
}

// The point of the hull of integer vectors that is nearest to the origin (Wolfe 1976), exactly:
// `x` over `common`, and the few vectors that it is a mixture of, with their shares.
export function nearestPoint(vectors) {
  let corral = [vectors.reduce((best, v, i) => (dot(v, v) < dot(vectors[best], vectors[best]) ? i : best), 0)];
  let shares = [[1n, 1n]];
  for (;;) {
    let { x, common } = mixture(vectors, corral, shares);
    const square = dot(x, x);
    let best = -1;
    let least = 0n;
    vectors.forEach((v, i) => {
      const gain = dot(x, v) * common - square;
      if (gain < least) [best, least] = [i, gain];
    });
    if (square === 0n || best < 0) return { x, common, corral, shares };
    corral = [...corral, best];
    shares = [...shares, [0n, 1n]];
    for (;;) {
      const wanted = affine(corral.map((i) => vectors[i]));
      if (wanted.every((share) => share[0] > 0n)) {
        shares = wanted;
        break;
      }
      // As far towards it as the hull goes; a vector whose share is then 0 leaves.
      let step = [1n, 1n];
      wanted.forEach((share, i) => {
        if (share[0] > 0n) return;
        const far = over(shares[i], minus(shares[i], share));
        if (minus(far, step)[0] < 0n) step = far;
      });
      shares = shares.map((share, i) => plus(share, times(step, minus(wanted[i], share))));
      const kept = shares.map((share) => share[0] > 0n);
      corral = corral.filter((_, i) => kept[i]);
      shares = shares.filter((_, i) => kept[i]);
    }
  }
}

function mixture(vectors, corral, shares) {
  const common = shares.reduce((found, share) => lcm(found, share[1]), 1n);
  const x = vectors[0].map((_, j) => corral.reduce((sum, i, k) => sum + (vectors[i][j] * shares[k][0] * common) / shares[k][1], 0n));
  return { x, common };
}

// The shares of the point of an affine hull that is nearest to the origin.
function affine(vectors) {
  const n = vectors.length;
  const A = [[0n, ...Array(n).fill(1n)], ...vectors.map((v) => [1n, ...vectors.map((u) => dot(u, v))])];
  const found = solved(A, [1n, ...Array(n).fill(0n)]);
  return found.x.slice(1).map((value) => ratio(value, found.common));
}
