// Words on the page: symbols in their colours, formulas as MathML, numbers with four digits.
import { el, mml } from "./dom.js";

const SYMBOL = /w\*|w_k|(?<!\p{L})w(?!\p{L})|γ|(?<![A-Za-jl-z])R(?![A-Za-z])/gu;
const COLOUR = { "w*": "w-star", w_k: "w", w: "w", γ: "gamma", R: "radius" };

// The text with w, w*, γ and R in the colours that they have in the drawings; `formulas` in
// backquotes are typeset.
export function words(text) {
  return text.split("`").map((part, i) => (i % 2 ? formula(part) : coloured(part)));
}

function coloured(text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(SYMBOL)) {
    parts.push(text.slice(from, found.index), el("b", { class: `sym ${COLOUR[found[0]]}` }, found[0]));
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)];
}

// A formula of symbols with spaces between: “k ≤ R²/γ²”, “‖w_k‖ ≤ √k R”.
export function formula(text) {
  return mml("math", {}, mml("mrow", {}, text.split(" ").map(term)));
}

function term(text) {
  if (text.includes("/") && text.length > 1) {
    return mml("mfrac", {}, ...text.split("/").map((part) => mml("mrow", {}, term(part))));
  }
  const atoms = text.match(/√\p{L}|\p{L}+(?:\*|_[\p{L}\d])?²?|\d+|‖|./gu) ?? [];
  return atoms.map(atom);
}

function atom(text) {
  const square = text.endsWith("²");
  const core = square ? text.slice(0, -1) : text;
  if (core === "" || core === "‖") return mml("mo", { stretchy: "false" }, text);
  if (core.startsWith("√")) return mml("msqrt", {}, mml("mi", {}, core.slice(1)));
  if (/^\d+$/.test(core)) return mml("mn", {}, core);
  if (!/^\p{L}/u.test(core)) return mml("mo", {}, core);
  const style = COLOUR[core] ? { class: `sym ${COLOUR[core]}` } : {};
  let made;
  if (core.endsWith("*")) made = mml("msup", style, mml("mi", {}, core.slice(0, -1)), mml("mo", {}, "*"));
  else if (core.includes("_")) made = mml("msub", style, ...core.split("_").map((part) => mml("mi", {}, part)));
  else if (core.length > 1 && !COLOUR[core]) return [...core].map((letter, i) => atom(letter + (square && i === core.length - 1 ? "²" : "")));
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
  if (allDigits) return text;
  return text.replace(/\d+\.\d+/g, (number) => String(Number(Number(number).toPrecision(4))));
}

