// Numbers as texts, as Python writes them, and as the page shows them.

// Round a digit string half to even where it is a tie, as Python does and toPrecision does not.
function precise(x, digits) {
  const shown = x.toPrecision(digits);
  if (digits >= 100 || !Number.isFinite(x)) return shown;
  const [mantissa, power] = x.toExponential(Math.min(100, digits + 25)).split("e");
  const all = mantissa.replace(/[-.]/g, "");
  if (!/^50*$/.test(all.slice(digits))) return shown;
  if ("02468".includes(all[digits - 1])) {
    const kept = `${x < 0 ? "-" : ""}${all[0]}.${all.slice(1, digits)}e${power}`;
    return Number(kept).toPrecision(digits);
  }
  return shown;
}

// %.6g
export function general(x, digits = 6) {
  if (x === 0) return Object.is(x, -0) ? "-0" : "0";
  const shown = precise(x, digits);
  const exponent = Number(Number(shown).toExponential(digits - 1).split("e")[1]);
  const trim = (text) => (text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text);
  if (exponent >= -4 && exponent < digits) {
    return trim(Number(shown).toFixed(Math.max(0, digits - 1 - exponent)));
  }
  const [mantissa] = Number(shown).toExponential(digits - 1).split("e");
  return `${trim(mantissa)}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

export const short = (x) => general(x).replaceAll("-", "−");
export const long = (x) => general(x, 10);

// round(x, 5)
export function round5(x) {
  const all = Math.abs(x).toFixed(30);
  const at = all.indexOf(".") + 6;
  let shown = Number(Math.abs(x).toFixed(5));
  if (/^50*$/.test(all.slice(at)) && "02468".includes(all[at - 1])) shown = Number(all.slice(0, at));
  return x < 0 ? -shown : shown;
}

export const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

// repr(x) of Python, without “.0”
export function written(x) {
  const text = String(x);
  if (!text.includes("e")) {
    const power = Math.floor(Math.log10(Math.abs(x)));
    if (x !== 0 && power >= 16) return exponent(x.toExponential());
    if (x !== 0 && power < -4) return exponent(x.toExponential());
    return text;
  }
  return exponent(text);
}

const exponent = (text) => text.replace(/e([+-])(\d)$/, "e$10$2");
