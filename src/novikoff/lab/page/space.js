// The lift in three dimensions: the engine says where everything is seen; dragging turns it.
import { button, el, put, svg } from "./dom.js";
import { marker } from "./plot.js";
import { rounded } from "./words.js";

const SIZE = 240; // half the width of the drawing
let dragging = null;
let holder = null;

export function showSpace(output, answer, turn) {
  const drawing = paint(answer);
  if (dragging && holder?.isConnected) {
    // While it is being turned only the drawing's content changes, so that the pointer is not lost.
    put(holder.querySelector("svg.space"), ...drawing.childNodes);
    return;
  }
  drawing.addEventListener("pointerdown", (event) => {
    dragging = [event.clientX, event.clientY];
    drawing.setPointerCapture(event.pointerId);
  });
  drawing.addEventListener("pointermove", (event) => {
    if (!dragging) return;
    turn(-(event.clientX - dragging[0]) / 2, (event.clientY - dragging[1]) / 2);
    dragging = [event.clientX, event.clientY];
  });
  for (const end of ["pointerup", "pointercancel"]) drawing.addEventListener(end, () => (dragging = null));
  drawing.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [6, 0], ArrowRight: [-6, 0], ArrowUp: [0, 4], ArrowDown: [0, -4] }[event.key];
    if (!by) return;
    event.preventDefault();
    turn(...by);
  });
  const hadFocus = holder?.contains(document.activeElement) ? document.activeElement.dataset.turn ?? "drawing" : null;
  holder = el("div", {},
    el("p", {}, rounded(answer.sentence)),
    drawing,
    el("div", { class: "row" }, turner("◀", "left", 12, 0, turn), turner("▶", "right", -12, 0, turn),
      turner("▲", "up", 0, 8, turn), turner("▼", "down", 0, -8, turn),
      el("span", { class: "note" }, "or drag it")));
  put(output, holder);
  if (hadFocus === "drawing") drawing.focus();
  else if (hadFocus) holder.querySelector(`[data-turn=${hadFocus}]`).focus();
}

const turner = (text, name, azimuth, elevation, turn) =>
  button(text, () => turn(azimuth, elevation), { "aria-label": `turn ${name}`, "data-turn": name });

const at = ([x, y]) => [SIZE * (1 + x), SIZE * (1 - y)];
const path = (places, close = false) => `M${places.map((place) => at(place).join(" ")).join("L")}${close ? "Z" : ""}`;

function paint(answer) {
  return svg("svg", { class: "space", viewBox: `0 ${SIZE / 6} ${2 * SIZE} ${(5 * SIZE) / 3}`, tabindex: 0, role: "img",
    "aria-label": `The points lifted to three dimensions. ${answer.sentence}` },
    answer.surface.map((wire) => svg("path", { class: "wire", d: path(wire) })),
    answer.axes.map(([[start, end], name]) => {
      const [x, y] = at(end);
      return svg("g", { class: "axis" }, svg("path", { d: path([start, end]) }),
        svg("text", { x: x + 6, y: y + 4 }, name));
    }),
    answer.plane?.length ? svg("path", { class: "cut", d: path(answer.plane, true) }) : null,
    answer.points.map((point) => svg("g", {},
      point.foot ? svg("path", { class: "drop", d: path([point.place, point.foot]) }) : null,
      marker(point.sign, ...at(point.place), 8))));
}
