// What the page knows: points, options, the place in the run. Undo, redo, the link and the file.
export const OPTIONS = {
  eta0: 1,
  max_iter: 1000,
  order: "cyclic",
  tie: "mistake",
  fit_intercept: true,
  seed: 0,
};
const FORMAT = "novikoff-lab";
const MOST_UNDONE = 200;

export const state = {
  points: { X: [], y: [], names: ["x1", "x2"], classes: ["−1", "+1"], decimals: true },
  options: { ...OPTIONS },
  k: 0,
  selected: null,
  view: null, // null: the engine chooses one that shows everything
  look: "run", // what the plot shows of it: "run", "verdict" or "beyond"
  tab: "step", // which panel is open
  beyond: "none", // what its panel was asked for
  asked: false, // whether somebody has asked for the verdict, or seen the run to its end
  token: null, // what a link to this lab needs besides
};
// Which preset some points are, as long as nobody has changed them.
const presets = new WeakMap();
export const presetName = () => presets.get(state.points) ?? "";

const listeners = new Map();
let past = [];
let future = [];

export function on(event, listener) {
  listeners.set(event, [...(listeners.get(event) ?? []), listener]);
}

export function emit(event) {
  for (const listener of listeners.get(event) ?? []) listener();
}

export function setPoints(points, { keepView = true, preset = null } = {}) {
  if (preset !== null) presets.set(points, preset);
  past = [...past.slice(-MOST_UNDONE), state.points];
  future = [];
  show(points, keepView);
}

function show(points, keepView) {
  const sameColumns = points.names.length === state.points.names.length;
  state.points = points;
  if (!keepView || !sameColumns) state.view = null;
  if (state.selected !== null && state.selected >= points.X.length) state.selected = null;
  emit("points");
}

export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

export function undo() {
  if (!canUndo()) return;
  future = [...future, state.points];
  show(past.pop(), false);
}

export function redo() {
  if (!canRedo()) return;
  past = [...past, state.points];
  show(future.pop(), false);
}

export function setOptions(options) {
  state.options = { ...state.options, ...options };
  emit("options");
}

export function setLook(look) {
  if (look === "verdict") ask();
  if (state.look === look) return;
  state.look = look;
  emit("look");
}

// The page opens unsolved: the verdict is told once it is asked for, or the run has come to its end.
export function ask(asked = true) {
  if (state.asked === asked) return;
  state.asked = asked;
  emit("asked");
}

export function setK(k) {
  if (k === state.k) return;
  state.k = k;
  emit("k");
}

export function select(row) {
  if (row === state.selected) return;
  state.selected = row;
  emit("selected");
}

// Points with one more, one moved, one less.
export function withPoint(points, x, sign) {
  return { ...points, X: [...points.X, x], y: [...points.y, sign] };
}

export function withMoved(points, row, x) {
  return { ...points, X: points.X.map((old, i) => (i === row ? x : old)) };
}

export function withClass(points, row, sign) {
  return { ...points, y: points.y.map((old, i) => (i === row ? sign : old)) };
}

export function withoutPoint(points, row) {
  return {
    ...points,
    X: points.X.filter((_, i) => i !== row),
    y: points.y.filter((_, i) => i !== row),
  };
}

export const saved = () => {
  const { points, options, k, look, tab, beyond } = state;
  return JSON.stringify({ format: FORMAT, version: 1, points, options, k, look, tab, beyond });
};

// A state from a file or a link. The engine checks the numbers; here only the form is looked at.
export function restore(text) {
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    throw new Error("This is not a saved lab: it cannot be read as JSON.");
  }
  const points = read?.points;
  const isOurs = read?.format === FORMAT && read.version === 1;
  if (!isOurs || !Array.isArray(points?.X) || !Array.isArray(points?.y)) {
    throw new Error("This is not a saved lab of this version.");
  }
  const known = Object.keys(OPTIONS).filter((name) => name in (read.options ?? {}));
  state.options = { ...OPTIONS, ...Object.fromEntries(known.map((name) => [name, read.options[name]])) };
  state.k = Number.isInteger(read.k) && read.k > 0 ? read.k : 0;
  state.selected = null;
  state.asked = false;
  state.look = "run";
  setLook(read.look === "verdict" ? "verdict" : "run");
  emit("look");
  emit("asked");
  setPoints(
    {
      X: points.X,
      y: points.y,
      names: points.names,
      classes: points.classes,
      decimals: points.decimals !== false,
    },
    { keepView: false },
  );
  state.tab = String(read.tab ?? "step");
  state.beyond = String(read.beyond);
  emit("restored");
}

// The link holds the whole state behind the #, which browsers never send to a server.
async function through(stream, bytes) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function toLink() {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(saved()));
  const base = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  const hash = base.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const token = state.token === null ? "" : `?token=${encodeURIComponent(state.token)}`;
  return `${location.origin}${location.pathname}${token}#lab=${hash}`;
}

export async function fromLink(hash) {
  const base = hash.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base), (letter) => letter.charCodeAt(0));
  const text = new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
  restore(text);
}
