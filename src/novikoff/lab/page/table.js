// The points as a table: every number can be typed, for those who do not use a pointer.
import { button, byId, download, el, put } from "./dom.js";
import { typedNumber } from "./numbers.js";
import { select, setPoints, state, withClass, withMoved, withoutPoint, withPoint } from "./state.js";

const panel = byId("panel-data");
const MOST_ROWS = 150;
const MOST_COLUMNS = 6;

export function showTable(notes = []) {
  if (panel.hidden) return;
  const { X, y, names, classes } = state.points;
  const columns = names.slice(0, MOST_COLUMNS);
  const rows = X.slice(0, MOST_ROWS).map((x, i) =>
    el("tr", { class: i === state.selected ? "chosen" : "" },
      el("th", { scope: "row" }, el("button", { type: "button", class: "plain", "aria-label": `select row ${i}`,
        onclick: () => select(i) }, String(i))),
      columns.map((name, j) => el("td", {}, number(i, j, x[j], name))),
      el("td", {}, el("select", { "aria-label": `class of row ${i}`,
        onchange: (event) => setPoints(withClass(state.points, i, Number(event.target.value))) },
        el("option", { value: -1, selected: y[i] < 0 }, classes[0]),
        el("option", { value: 1, selected: y[i] > 0 }, classes[1]))),
      el("td", {}, button("×", () => setPoints(withoutPoint(state.points, i)), { class: "plain", "aria-label": `delete row ${i}` }))));
  put(panel,
    el("p", {}, `${X.length} points, ${names.length} ${names.length === 1 ? "column" : "columns"}.`,
      notes.map((note) => ` ${note}`)),
    el("div", { class: "row" },
      button("Add a row", () => setPoints(withPoint(state.points, names.map(() => 0), 1)), { id: "add-row" }),
      button("Download CSV", downloadCsv, { id: "download-csv" })),
    el("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Points" },
      el("table", {},
        el("thead", {}, el("tr", {}, ["row", ...columns, "class"].map((name) => el("th", { scope: "col" }, name)),
          el("td", {}, el("span", { class: "hidden" }, "delete")))),
        el("tbody", {}, rows))),
    X.length > MOST_ROWS || names.length > MOST_COLUMNS
      ? el("p", { class: "note" }, `The first ${Math.min(X.length, MOST_ROWS)} rows and ${columns.length} columns.`)
      : "");
}

function number(row, column, value, name) {
  return el("input", { type: "text", inputmode: "decimal", size: 7, value, "aria-label": `${name} of row ${row}`,
    onchange: (event) => {
      const typed = typedNumber(event.target.value);
      if (!Number.isFinite(typed)) {
        event.target.value = value;
        return;
      }
      const x = state.points.X[row].map((old, j) => (j === column ? typed : old));
      setPoints(withMoved(state.points, row, x));
      panel.querySelector(`[aria-label="${CSS.escape(name)} of row ${row}"]`)?.focus();
    } });
}

const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// With the labels as the certificate names them: novikoff verify certificate.json points.csv
function downloadCsv() {
  const { X, y, names, classes } = state.points;
  const label = names.includes("class") ? "class of the lab" : "class";
  const lines = [[...names, label].map(quoted).join(",")];
  X.forEach((x, i) => lines.push([...x.map(String), quoted(classes[y[i] > 0 ? 1 : 0])].join(",")));
  download("points.csv", `${lines.join("\n")}\n`, "text/csv");
}
