// A compass beside the plot: where w pointed before the mistake, where it points now, and the step.
import { byId, put, svg } from "./dom.js";
import { lineBetween } from "./motion.js";

const R = 46;
const LONGEST = 0.9; // the needle of w, as a share of the dial

export function arrowHead(id) {
  return svg("marker",
    { id, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 6, markerHeight: 6, orient: "auto" },
    svg("path", { d: "M0 0 10 5 0 10z", class: id.replace("compass-", "") }));
}

function needle(direction, name, head, length) {
  if (!direction) return null;
  return svg("path", { class: name, "marker-end": `url(#compass-${head})`, d: reach(direction, length) });
}

const reach = ([x, y], length) => `M0 0L${x * R * length} ${-y * R * length}`;

// The needle of w on its way from one direction to another.
export function turnCompass(before, after, share) {
  if (!before || !after) return;
  const [, direction] = lineBetween([[0, 0], before], [[0, 0], after], share, true);
  document.querySelector("#compass .needle-new")?.setAttribute("d", reach(direction, LONGEST));
}

export function showCompass(step, reference) {
  const node = byId("compass");
  const found = step?.compass;
  const says = found && (found.old || found.new || found.step);
  node.toggleAttribute("hidden", !says);
  if (!says) return;
  put(node,
    svg("title", {}, "Where w points: dashed before the mistake, solid after it, short the step; dotted the w* of the proof"),
    svg("defs", {}, ["head-reference", "head-old", "head-step", "head-run"].map((head) => arrowHead(`compass-${head}`))),
    svg("circle", { class: "dial", r: R }),
    needle(reference, "needle-reference", "head-reference", 0.95),
    needle(found.old, "needle-old", "head-old", 0.88),
    needle(found.step, "needle-step", "head-step", 0.5),
    needle(found.new, "needle-new", "head-run", LONGEST),
    svg("text", { y: R + 14, "text-anchor": "middle" }, "w turns"));
}
