// Making elements. Text is always text: nothing that comes from a file is ever parsed as HTML.
const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...kept(children));
  return node;
}

// Children may be lists of lists, and null for what is not there.
const kept = (children) => children.flat(Infinity).filter((child) => child !== null && child !== undefined);

export const put = (node, ...children) => node.replaceChildren(...kept(children));

export const el = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

const MATHML = "http://www.w3.org/1998/Math/MathML";
export const mml = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(MATHML, tag), attributes, children);

export const button = (text, onclick, attributes = {}) =>
  el("button", { type: "button", ...attributes, onclick }, text);

let hiding = 0;

export function toast(text, isError = false) {
  const box = byId("toast");
  box.textContent = text;
  box.classList.toggle("error", isError);
  box.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => (box.hidden = true), isError ? 9000 : 4000);
}

export function download(name, text, kind) {
  const url = URL.createObjectURL(new Blob([text], { type: kind }));
  const anchor = el("a", { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
