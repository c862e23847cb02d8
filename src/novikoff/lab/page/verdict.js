// The verdict card: always on, with its certificate to keep and to check.
import { post, Refusal } from "./api.js";
import { button, byId, download, el, put, toast } from "./dom.js";
import { state } from "./state.js";

const body = byId("verdict-body");

const question = () => ({ points: state.points, fit_intercept: state.options.fit_intercept });

export function showVerdict(answer) {
  const verdict = answer.verdict;
  const card = byId("verdict");
  card.dataset.word = verdict?.word ?? "none";
  byId("badge").dataset.word = card.dataset.word;
  byId("badge").textContent = verdict?.word ?? "";
  if (verdict === null) {
    put(body, el("p", { class: "headline" }, answer.message));
    return;
  }
  put(body,
    el("p", { class: "headline" }, el("b", { class: "word" }, verdict.word), ` ${verdict.headline}`),
    el("dl", { class: "facts" },
      verdict.facts.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text)))),
    verdict.why_not.length
      ? el("details", { open: true }, el("summary", {}, "Why not?"),
          el("ol", { class: "why" }, verdict.why_not.map((sentence) => el("li", {}, sentence))))
      : null,
    verdict.word === "undecided" ? null : el("div", { class: "row" },
      button("Download certificate", downloadCertificate, { id: "download-certificate" }),
      button("Verify it", verifyIt, { id: "verify-certificate" })),
    el("p", { id: "verified", class: "verified", role: "status", hidden: true }));
}

async function certificate() {
  return post("certificate", question());
}

async function downloadCertificate() {
  try {
    download("certificate.json", (await certificate()).text, "application/json");
  } catch (error) {
    complain(error);
  }
}

async function verifyIt() {
  try {
    showVerified(await verify((await certificate()).certificate));
  } catch (error) {
    complain(error);
  }
}

export const verify = (given) => post("verify", { points: state.points, certificate: given });

export function showVerified({ valid, reason }) {
  const line = byId("verified");
  if (!line) {
    toast(`${valid ? "Valid" : "Not valid"}: ${reason}`, !valid);
    return;
  }
  line.hidden = false;
  line.classList.toggle("bad", !valid);
  line.textContent = valid
    ? `✓ Valid. Checked exactly, without the solver: ${reason}`
    : `✗ Not valid: ${reason}`;
}

export function complain(error) {
  if (!(error instanceof Refusal) && error.name !== "Error") throw error;
  toast(error.message, true);
}
