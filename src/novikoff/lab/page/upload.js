// Files: a CSV with a dialog to choose columns, a saved lab, or a certificate to be checked.
import { post } from "./api.js";
import { button, byId, el, put, toast } from "./dom.js";
import { restore, setPoints } from "./state.js";
import { complain, showVerified, verify } from "./verdict.js";

const dialog = byId("csv");
let most = 4 * 2 ** 20;
let noted = () => {};

export function startUpload(limits, onNotes) {
  most = limits.body_bytes;
  noted = onNotes;
  byId("open").addEventListener("click", () => byId("file").click());
  byId("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) take(file);
    event.target.value = "";
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file) take(file);
  });
}

async function take(file) {
  try {
    if (file.size > 0.9 * most) throw new Error(`${file.name} is larger than the ${most / 2 ** 20} MiB that the lab takes.`);
    const text = await file.text().catch(() => {
      throw new Error(`${file.name} cannot be read.`);
    });
    if (text.trimStart().startsWith("{")) await takeJson(text);
    else await ask(file.name, text, await post("columns", { csv: text }));
  } catch (error) {
    complain(error);
  }
}

async function takeJson(text) {
  if (!text.includes('"novikoff-certificate"')) {
    restore(text);
    toast("The saved lab is open.");
    return;
  }
  let certificate;
  try {
    certificate = JSON.parse(text);
  } catch {
    throw new Error("This certificate cannot be read as JSON.");
  }
  showVerified(await verify(certificate));
}

function ask(name, csv, found) {
  const chosen = { label: found.label, features: new Set(found.features) };
  const problem = el("p", { class: "refused", role: "alert", hidden: true });
  const labels = el("select", { id: "csv-label" },
    found.columns.map((column) => el("option", { value: column.name, selected: column.name === found.label }, column.name)));
  const features = el("fieldset", { class: "checks", id: "csv-features" });
  const classes = el("div", { class: "options" });
  const dropMissing = el("input", { type: "checkbox", id: "csv-missing" });
  const refresh = () => {
    chosen.label = labels.value;
    put(features, el("legend", {}, "Columns (two are seen as they are, more as a projection)"),
      ...found.columns.filter((column) => column.name !== chosen.label).map((column) => check(column, chosen.features)));
    showClasses(classes, found.columns.find((column) => column.name === chosen.label));
  };
  labels.addEventListener("change", refresh);
  const done = async () => {
    problem.hidden = true;
    try {
      const answer = await post("points", question(csv, chosen, classes, dropMissing.checked));
      dialog.close();
      setPoints(answer.points, { keepView: false });
      noted(answer.notes);
      if (answer.notes.length) toast(answer.notes.join(" "));
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
  };
  put(dialog,
    el("h2", { id: "csv-title" }, "Which columns?"),
    el("p", {}, `${name}: ${found.rows} rows, ${found.columns.length} columns.`),
    el("label", { class: "field" }, "Label ", labels), classes, features,
    el("label", { class: "field check" }, dropMissing, " leave out rows with missing values"),
    problem,
    el("div", { class: "row" }, button("Show these points", done, { class: "primary", id: "csv-done" }),
      button("Cancel", () => dialog.close())));
  refresh();
  dialog.showModal();
}

function check(column, features) {
  const missing = column.missing ? `, ${column.missing} missing` : "";
  return el("label", {}, el("input", { type: "checkbox", value: column.name, disabled: !column.numeric,
    checked: column.numeric && features.has(column.name),
    onchange: (event) => (event.target.checked ? features.add(column.name) : features.delete(column.name)) }),
    ` ${column.name}`, el("small", {}, column.numeric ? `${column.distinct} values${missing}` : " text"));
}

// With two labels: which one is +1. With more: one of them against another, or against the rest.
function showClasses(holder, column) {
  const values = column.values;
  if (column.distinct < 2 || values.length < column.distinct) {
    put(holder);
    return;
  }
  const options = (chosen) => values.map((value) => el("option", { value, selected: value === chosen }, value));
  const others = column.distinct > 2 ? el("label", { class: "field" }, "against ",
    el("select", { id: "csv-against" }, el("option", { value: "" }, "all others"), options())) : "";
  put(holder,
    el("label", { class: "field" }, "Class +1 ", el("select", { id: "csv-positive" }, options(values.at(-1)))), others);
}

function question(csv, chosen, classes, dropMissing) {
  const positive = classes.querySelector("#csv-positive")?.value ?? null;
  const against = classes.querySelector("#csv-against")?.value || null;
  const features = [...dialog.querySelectorAll("#csv-features input:checked")].map((input) => input.value);
  if (features.length === 0) throw new Error("Choose at least one column.");
  if (against !== null && against === positive) throw new Error("Choose two different classes.");
  return { csv, label: chosen.label, features, positive, drop_missing: dropMissing,
    classes: against === null ? null : [against, positive] };
}
