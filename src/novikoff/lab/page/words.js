// Words on the page: symbols in their colours, formulas as MathML, numbers with four digits.
import { el, mml } from "./dom.js";

const SYMBOL = /w\*|w_k|w\[[^\]]+\]|(?<!\p{L})w(?!\p{L})|γ|(?<![A-Za-jl-z])R(?![A-Za-z])/gu;
const COLOUR = { "w*": "w-star", w_k: "w", w: "w", γ: "gamma", R: "radius" };
const FUNCTIONS = /^(max|cos)/;

// The text with w, w*, γ and R in the colours that they have in the drawings; `formulas` in
// backquotes are typeset.
export function words(text) {
  return text.split("`").map((part, i) => (i % 2 ? formula(part) : coloured(part)));
}

function coloured(text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(SYMBOL)) {
    parts.push(text.slice(from, found.index), symbol(found[0]));
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)];
}

// A symbol in the middle of a sentence; “w[petal length]” is the weight of that column.
function symbol(text) {
  if (!text.startsWith("w[")) return el("b", { class: `sym ${COLOUR[text]}` }, text);
  const column = mml("mtext", {}, text.slice(2, -1));
  return mml("math", {}, mml("msub", { class: "sym w" }, mml("mi", {}, "w"), column));
}

// A formula of symbols with spaces between: “k ≤ R²/γ²”, “‖w_k‖ ≤ √k R”. A long one may be broken
// where a relation or a sum begins, and is typeset in pieces for it.
const LONG = 24;
const BREAK = / (?=[=←≤≥<>+] )/;

export function formula(text) {
  const pieces = text.length > LONG ? text.split(BREAK) : [text];
  return pieces.flatMap((piece, i) => [i ? " " : "", mml("math", {}, mml("mrow", {}, piece.split(" ").map(term)))]);
}

function term(text, i) {
  if (/^[=←≤≥<>+−]$/.test(text)) return mml("mo", { form: "infix", ...(i ? {} : { lspace: "0" }) }, text);
  const atoms = text.match(/√\p{L}|\d+(?:\.\d+)?(?:e[−+]?\d+)?|(?:\p{L}\u0302?)+(?:\*|_[\p{L}\d])?²?|‖²?|./gu) ?? [];
  return atoms.map(atom);
}

function atom(text) {
  const square = text.endsWith("²");
  const core = square ? text.slice(0, -1) : text;
  if (core === "‖") {
    const bar = mml("mo", { stretchy: "false" }, core);
    return square ? mml("msup", {}, bar, mml("mn", {}, "2")) : bar;
  }
  if (core.startsWith("√")) return mml("msqrt", {}, mml("mi", {}, core.slice(1)));
  if (/^\d/.test(core)) return mml("mn", {}, core);
  if (FUNCTIONS.test(core)) return mml("mi", { mathvariant: "normal" }, core);
  if (!/^\p{L}/u.test(core)) return mml("mo", /[+−/]/.test(core) ? { form: "prefix", lspace: "0", rspace: "0" } : {}, core);
  const style = COLOUR[core] ? { class: `sym ${COLOUR[core]}` } : {};
  let made;
  if (core.endsWith("*")) made = mml("msup", style, mml("mi", {}, core.slice(0, -1)), mml("mo", {}, "*"));
  else if (core.includes("_")) made = mml("msub", style, ...core.split("_").map((part) => mml("mi", {}, part)));
  else if (core.length > 1 && !COLOUR[core]) return core.match(/.\u0302?/gu).map((letter, i, all) => atom(letter + (square && i === all.length - 1 ? "²" : "")));
  else made = mml("mi", style, core);
  return square ? mml("msup", {}, made, mml("mn", {}, "2")) : made;
}

let allDigits = false;
export const showsAllDigits = () => allDigits;
export function toggleDigits() {
  allDigits = !allDigits;
}

// Numbers as people read them: four significant digits, unless more are asked for.
export function rounded(text) {
  const signed = text.replace(/(^|[ (])-(?=\d)/g, "$1−");
  if (allDigits) return signed;
  return signed.replace(/\d+\.\d+/g, (number) => String(Number(Number(number).toPrecision(4))));
}
