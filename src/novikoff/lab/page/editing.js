// Editing the points: click, drag, delete, and the same with the keys.
import { byId, toast } from "./dom.js";
import { currentScene, draw, shown } from "./plot.js";
import { select, setPoints, state, withMoved, withoutPoint, withPoint } from "./state.js";

const node = byId("plot");
const pen = () => document.querySelector("input[name=pen]:checked").value;
let dragged = null; // { row, points } while a point is on its way
let painted = null; // { points, at } while the brush is down
let taken = () => false; // who else wants to know of a press: an exercise that asks for one
export const onPress = (listener) => (taken = listener ?? (() => false));
let preview = () => {};
let most = Infinity;

export function startEditing(onPreview, mostPoints) {
  preview = onPreview;
  most = mostPoints;
  node.addEventListener("pointerdown", press);
  node.addEventListener("pointermove", move);
  node.addEventListener("pointerup", release);
  node.addEventListener("pointercancel", cancel);
  node.addEventListener("keydown", key);
  node.addEventListener("blur", () => showCursor(null));
}

const editable = () => shown.verdict?.plane.editable === true;

function locate(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(node.getScreenCTM().inverse());
  return currentScene().place(point.x, point.y, shown.verdict.plane.digits);
}

// A place of the plane as a point: with one column only the first coordinate counts.
const asPoint = ([x, y]) => (state.points.names.length === 1 ? [x] : [x, y]);

function press(event) {
  if (event.button !== 0 || !shown.verdict) return;
  const row = event.target.dataset?.row;
  if (taken(row === undefined ? null : Number(row), locate(event))) return;
  if (byId("brush").checked && pen() !== "delete") {
    painted = { points: state.points, at: null };
    node.setPointerCapture(event.pointerId);
    paint(event);
    return;
  }
  if (row !== undefined) {
    pressPoint(Number(row), event);
  } else if (pen() !== "delete") {
    add(locate(event), Number(pen()) * (event.shiftKey ? -1 : 1));
  }
}

function pressPoint(row, event) {
  if (pen() === "delete") {
    select(null);
    setPoints(withoutPoint(state.points, row));
    return;
  }
  select(row);
  if (!editable()) return;
  dragged = { row, points: state.points, start: [event.clientX, event.clientY], moved: false };
  node.setPointerCapture(event.pointerId);
}

// A point wherever the brush has moved on by its own width, and one step back for the whole stroke.
const BRUSH = 16;

function paint(event) {
  const { clientX: x, clientY: y } = event;
  if (!editable() || painted.points.X.length >= most) return;
  if (painted.at && Math.hypot(x - painted.at[0], y - painted.at[1]) < BRUSH) return;
  painted.at = [x, y];
  painted.points = withPoint(painted.points, asPoint(locate(event)), Number(pen()) * (event.shiftKey ? -1 : 1));
  preview(painted.points);
}

function move(event) {
  if (painted !== null) return paint(event);
  if (dragged === null) return undefined;
  const [x, y] = dragged.start;
  dragged.moved ||= Math.abs(event.clientX - x) + Math.abs(event.clientY - y) > 3;
  if (!dragged.moved) return undefined;
  dragged.points = withMoved(state.points, dragged.row, asPoint(locate(event)));
  return preview(dragged.points);
}

function release() {
  if (painted?.at) setPoints(painted.points);
  painted = null;
  const done = dragged;
  dragged = null;
  if (done?.moved) setPoints(done.points);
}

function cancel() {
  if (dragged?.moved) preview(state.points);
  dragged = null;
}

function add(place, sign) {
  if (!editable()) {
    toast("You can add points only when the data has one or two columns.", true);
    return;
  }
  if (state.points.X.length >= most) {
    toast(`The lab takes at most ${most} points.`, true);
    return;
  }
  setPoints(withPoint(state.points, asPoint(place), sign));
}

function showCursor(place) {
  shown.cursor = place;
  draw();
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function key(event) {
  if (!shown.verdict || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = keyAction(event);
  if (action) {
    event.preventDefault();
    event.stopPropagation();
    action();
  }
}

function keyAction(event) {
  if (event.key in ARROWS) return () => nudge(ARROWS[event.key], event.shiftKey ? 5 : 1);
  const actions = {
    "+": () => addAtCursor(1),
    "-": () => addAtCursor(-1),
    "−": () => addAtCursor(-1),
    n: () => step(1),
    p: () => step(-1),
    Delete: remove,
    Backspace: remove,
    Escape: () => {
      select(null);
      showCursor(null);
    },
  };
  return actions[event.key];
}

function middle() {
  const { left, right, bottom, top } = shown.verdict.plane.view;
  return [(left + right) / 2, (bottom + top) / 2];
}

function nudge([dx, dy], times) {
  const { nudge: size, digits } = shown.verdict.plane;
  const moved = ([x, y]) => [
    Number((x + dx * size * times).toFixed(digits)),
    Number(((y ?? 0) + dy * size * times).toFixed(digits)),
  ];
  if (state.selected !== null && editable()) {
    setPoints(withMoved(state.points, state.selected, asPoint(moved(state.points.X[state.selected]))));
    say(`row ${state.selected} at ${state.points.X[state.selected].join(", ")}`);
  } else {
    showCursor(moved(shown.cursor ?? middle()));
    say(`cursor at ${shown.cursor.join(", ")}`);
  }
}

function addAtCursor(sign) {
  const place = shown.cursor ?? middle();
  select(null);
  add(place.map((value) => Number(value.toFixed(shown.verdict.plane.digits))), sign);
  say(`added class ${state.points.classes[sign > 0 ? 1 : 0]} at ${place.join(", ")}`);
}

function step(by) {
  const n = state.points.X.length;
  if (n === 0) return;
  select(state.selected === null ? (by > 0 ? 0 : n - 1) : (state.selected + by + n) % n);
  const sign = state.points.y[state.selected];
  say(`row ${state.selected} at ${state.points.X[state.selected].join(", ")}, class ${state.points.classes[sign > 0 ? 1 : 0]}`);
}

function remove() {
  if (state.selected === null) return;
  const row = state.selected;
  select(null);
  setPoints(withoutPoint(state.points, row));
  say(`row ${row} deleted`);
}

function say(text) {
  byId("plot-said").textContent = text;
}
