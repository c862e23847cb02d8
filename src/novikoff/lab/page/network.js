// The ReLU network as a diagram whose units light up for the selected point, and its table.
import { el, put, svg } from "./dom.js";
import { on, select, state } from "./state.js";
import { rounded } from "./words.js";

const ROW = 76;
const COLUMN = { input: 46, hidden: 250, output: 452 };
let current = null;

export function showNetwork(output, answer) {
  current = { output, answer };
  put(output,
    el("p", {}, answer.sentence),
    diagram(answer),
    el("p", { class: "note" }, "Select a point in the plot or in the table: the units that it makes active light up."),
    table(answer));
}

on("selected", () => {
  if (!current?.output.isConnected || !current.output.querySelector(".network")) return;
  const { output, answer } = current;
  const focused = document.activeElement?.dataset?.row;
  output.querySelector(".network").replaceWith(diagram(answer));
  output.querySelector(".scroll").replaceWith(table(answer));
  if (focused !== undefined) output.querySelector(`button[data-row="${focused}"]`)?.focus();
});

const heights = (count, most) => Array.from({ length: count }, (_, i) => 40 + ((most - count) / 2 + i) * ROW);

function diagram(answer) {
  const names = state.points.names;
  const inputs = names.length;
  const units = answer.hidden_biases.length;
  const most = Math.max(inputs, units, 1);
  const chosen = answer.table.find((line) => line.row === state.selected);
  const inputAt = heights(inputs, most);
  const unitAt = heights(units, most);
  const outputAt = heights(1, most)[0];
  const numbered = inputs * units <= 8;
  const lit = (unit) => chosen?.active[unit] === true;
  const drawing = svg("svg", { class: "network", viewBox: `0 0 510 ${most * ROW + 24}`, role: "img",
    "aria-label": `A network with ${inputs} inputs and ${units} hidden units.${chosen ? ` Row ${chosen.row}: activations ${chosen.activations.join(", ")}, score ${chosen.score}.` : ""}` });
  for (let u = 0; u < units; u += 1) {
    for (let j = 0; j < inputs; j += 1) {
      drawing.append(edge([COLUMN.input, inputAt[j]], [COLUMN.hidden, unitAt[u]], answer.hidden_signs[u][j],
        numbered ? answer.hidden_weights[u][j] : "", lit(u), 0.3 + 0.28 * (u % 2)));
    }
    drawing.append(edge([COLUMN.hidden, unitAt[u]], [COLUMN.output, outputAt], answer.output_signs[u],
      answer.output_weights[u], lit(u), 0.45));
  }
  names.forEach((name, j) => drawing.append(unit(COLUMN.input, inputAt[j], name, chosen?.inputs[j], chosen !== undefined, "")));
  for (let u = 0; u < units; u += 1) {
    drawing.append(unit(COLUMN.hidden, unitAt[u], `a${u + 1}`, chosen?.activations[u], lit(u), `b = ${answer.hidden_biases[u]}`));
  }
  const sign = chosen ? (chosen.predicted > 0 ? "plus" : "minus") : "";
  const final = unit(COLUMN.output, outputAt, chosen ? rounded(chosen.score) : "score", chosen ? (chosen.predicted > 0 ? "+1" : "−1") : null,
    chosen !== undefined, `c = ${answer.output_bias}`);
  if (sign) final.classList.add(sign);
  drawing.append(final);
  return drawing;
}

function edge([x0, y0], [x1, y1], sign, text, lit, where) {
  const group = svg("g", { class: `edge ${sign < 0 ? "negative" : "positive"}${lit ? " lit" : ""}` },
    svg("path", { d: `M${x0} ${y0}L${x1} ${y1}` }));
  if (text) {
    group.append(svg("text", { x: x0 + (x1 - x0) * where, y: y0 + (y1 - y0) * where - 4, "text-anchor": "middle" }, rounded(text)));
  }
  return group;
}

function unit(x, y, name, value, lit, bias) {
  const shortened = name.length > 7 ? `${name.slice(0, 6)}…` : name;
  const hasValue = value !== null && value !== undefined;
  return svg("g", { class: `unit${lit ? " lit" : ""}` },
    svg("circle", { cx: x, cy: y, r: 27 }),
    svg("text", { x, y: y + (hasValue ? -3 : 4), "text-anchor": "middle" }, shortened),
    hasValue ? svg("text", { class: "value", x, y: y + 13, "text-anchor": "middle" }, rounded(value)) : null,
    bias ? svg("text", { class: "bias", x, y: y + 41, "text-anchor": "middle" }, rounded(bias)) : null);
}

function table(answer) {
  const names = state.points.names;
  const units = answer.hidden_biases.map((_, u) => `a${u + 1}`);
  const heads = ["row", ...names.slice(0, 4), ...units, "score", "says", "is"];
  const sign = (value) => (value > 0 ? "+1" : "−1");
  return el("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Table of activations" },
    el("table", { class: "activations" },
      el("thead", {}, el("tr", {}, heads.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, answer.table.map((line) =>
        el("tr", { class: line.row === state.selected ? "chosen" : "" },
          el("th", { scope: "row" }, el("button", { type: "button", class: "plain", "data-row": line.row,
            "aria-pressed": String(line.row === state.selected), onclick: () => select(line.row) }, String(line.row))),
          line.inputs.slice(0, 4).map((value) => el("td", { class: "number" }, rounded(value))),
          line.activations.map((value, u) => el("td", { class: `number${line.active[u] ? " active" : ""}` }, rounded(value))),
          el("td", { class: "number" }, rounded(line.score)),
          el("td", { class: line.predicted === line.label ? "" : "wrong" }, sign(line.predicted)),
          el("td", {}, sign(line.label)))))));
}
