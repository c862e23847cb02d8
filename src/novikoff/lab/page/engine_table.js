// A small CSV file: its columns, and the points that two of them make.
import { Refused } from "./engine_run.js";
import { typedNumber } from "./numbers.js";

const MOST_VALUES = 20;

function table(text) {
  const first = text.split("\n", 1)[0];
  const mark = [";", "\t", ","].find((sign) => first.includes(sign)) ?? ",";
  const rows = [[]];
  let cell = "";
  let quoted = false;
  const body = text.replace(/\r\n?/g, "\n").replace(/\n*$/, "");
  for (let i = 0; i < body.length; i += 1) {
    const letter = body[i];
    if (quoted && letter === '"' && body[i + 1] === '"') {
      cell += '"';
      i += 1;
    } else if (letter === '"') quoted = !quoted;
    else if (!quoted && (letter === mark || letter === "\n")) {
      rows.at(-1).push(cell);
      cell = "";
      if (letter === "\n") rows.push([]);
    } else cell += letter;
  }
  rows.at(-1).push(cell);
  const [names, ...body_] = rows;
  const uneven = body_.findIndex((row) => row.length !== names.length);
  if (uneven >= 0) throw new Refused(`Line ${uneven + 2} has ${body_[uneven].length} columns, and the first line has ${names.length}.`);
  if (body_.length === 0) throw new Refused("The file has no rows under its first line, which names the columns.");
  return names.map((name, j) => ({ name: name.trim(), values: body_.map((row) => row[j].trim()) }));
}

const isMissing = (text) => ["", "NA", "NaN", "nan", "null"].includes(text);

export function columns({ csv }) {
  const found = table(csv).map(({ name, values }) => {
    const held = values.filter((value) => !isMissing(value));
    const distinct = [...new Set(held)].sort();
    return { name, numeric: held.length > 0 && held.every((value) => Number.isFinite(typedNumber(value))),
      missing: values.length - held.length, distinct: distinct.length, values: distinct.slice(0, MOST_VALUES + 1) };
  });
  const likely = (most) => found.filter((column) => column.distinct >= 2 && column.distinct <= most).at(-1);
  const label = (likely(2) ?? likely(MOST_VALUES) ?? found.at(-1)).name;
  const features = found.filter((column) => column.numeric && column.name !== label).map((column) => column.name);
  return { rows: table(csv)[0].values.length, columns: found, label, features: features.slice(0, 2) };
}

export function pointsOf({ csv, label, features, positive, classes, drop_missing: drop }) {
  if (features.length > 2) throw new Refused("This page shows one or two columns. For more: novikoff check FILE --label COLUMN");
  const named = new Map(table(csv).map((column) => [column.name, column.values]));
  const labels = named.get(label);
  let rows = labels.map((_, i) => i);
  const bad = rows.find((i) => [label, ...features].some((name) => isMissing(named.get(name)[i])));
  if (bad !== undefined && !drop) throw new Refused(`Row ${bad + 1} has a missing value: tick the box to leave such rows out.`);
  rows = rows.filter((i) => ![label, ...features].some((name) => isMissing(named.get(name)[i])));
  const values = [...new Set(rows.map((i) => labels[i]))].sort();
  const one = positive ?? values.at(-1);
  const other = classes?.[0] ?? (values.length === 2 ? values.find((value) => value !== one) : `not ${one}`);
  if (classes) rows = rows.filter((i) => classes.includes(labels[i]));
  if (values.length < 2) throw new Refused(`The column ${label} has only one value, and there must be two classes.`);
  return {
    points: {
      X: rows.map((i) => features.map((name) => typedNumber(named.get(name)[i]))),
      y: rows.map((i) => (labels[i] === one ? 1 : -1)),
      names: features, classes: [other, one], decimals: true,
    },
    notes: rows.length < labels.length ? [`${labels.length - rows.length} rows were left out.`] : [],
  };
}
