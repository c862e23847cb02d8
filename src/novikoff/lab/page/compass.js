// A compass beside the plot: where w pointed before the mistake, where it points now, and the step.
import { byId, put, svg } from "./dom.js";

const R = 46;

export function arrowHead(id) {
  return svg("marker",
    { id, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 6, markerHeight: 6, orient: "auto" },
    svg("path", { d: "M0 0 10 5 0 10z", class: id.replace("compass-", "") }));
}

function needle(direction, name, head, length) {
  if (!direction) return null;
  const [x, y] = direction;
  return svg("path", { class: name, "marker-end": `url(#compass-${head})`, d: `M0 0L${x * R * length} ${-y * R * length}` });
}

export function showCompass(step, reference) {
  const node = byId("compass");
  const found = step?.compass;
  const says = found && (found.old || found.new || found.step);
  node.toggleAttribute("hidden", !says);
  if (!says) return;
  put(node,
    svg("title", {}, "Where w points: dashed before the mistake, solid after it, short the step; dotted the w of the verdict"),
    svg("defs", {}, ["head-reference", "head-old", "head-step", "head-run"].map((head) => arrowHead(`compass-${head}`))),
    svg("circle", { class: "dial", r: R }),
    needle(reference, "needle-reference", "head-reference", 0.95),
    needle(found.old, "needle-old", "head-old", 0.88),
    needle(found.step, "needle-step", "head-step", 0.5),
    needle(found.new, "needle-new", "head-run", 0.9),
    svg("text", { y: R + 14, "text-anchor": "middle" }, "w turns"));
}
