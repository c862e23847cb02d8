// The link of a lab, to be copied, and as a QR code to be photographed from the projector.
import { button, byId, el, put, svg } from "./dom.js";
import { MOST_BYTES, qrCode } from "./qr.js";

export function showLinkDialog(link) {
  const dialog = byId("link-dialog");
  const fits = link.length <= MOST_BYTES;
  put(dialog,
    el("h2", {}, "A link to these points"),
    el("p", {}, "It holds the points and the options. They stand behind the #, which a browser sends to nobody."),
    fits ? picture(link) : el("p", { id: "no-qr" }, "These are too many points for a QR code: copy the link, or press Save for a file."),
    el("input", { type: "text", readonly: true, id: "link-text", "aria-label": "Link", value: link, onfocus: (event) => event.target.select() }),
    el("div", { class: "row" }, button("Close", () => dialog.close(), { class: "primary" })));
  dialog.showModal();
}

function picture(link) {
  const rows = qrCode(link);
  const size = rows.length;
  const dark = rows.flatMap((row, y) => row.map((on, x) => (on ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  return svg("svg", { class: "qr", viewBox: `0 0 ${size + 8} ${size + 8}`, role: "img", "aria-label": "QR code of the link" },
    svg("rect", { width: size + 8, height: size + 8, fill: "#fff" }), svg("path", { d: dark, fill: "#000" }));
}
