// The verdict card: a question until somebody asks, then the verdict with its certificate.
import { post, Refusal } from "./api.js";
import { button, byId, download, el, put, toast } from "./dom.js";
import { setLook, state } from "./state.js";
import { rounded, showsAllDigits, toggleDigits, words } from "./words.js";

const body = byId("verdict-body");
let last = null;

const question = () => ({ points: state.points, fit_intercept: state.options.fit_intercept });

export function showVerdict(answer = last) {
  if (answer === null) return;
  last = answer;
  const verdict = answer.verdict;
  const word = state.asked || verdict === null ? (verdict?.word ?? "none") : "none";
  byId("verdict").dataset.word = word;
  byId("badge").dataset.word = word;
  byId("badge").textContent = word === "none" ? "" : word;
  if (verdict === null) put(body, el("p", { class: "headline" }, answer.message));
  else if (state.asked) told(verdict);
  else ask();
}

function ask() {
  put(body,
    el("p", { class: "headline" }, "Can a line separate these? Drag a point, or press Play."),
    el("div", { class: "row" }, button("Tell me", () => setLook("verdict"), { id: "ask-verdict" })));
}

function told(verdict) {
  put(body,
    el("p", { class: "headline" }, el("b", { class: "word" }, verdict.word), ` ${verdict.headline}`),
    el("dl", { class: "facts" },
      verdict.facts.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, rounded(text))))),
    verdict.why_not.length
      ? el("details", { open: true }, el("summary", {}, "Why not?"),
          el("ol", { class: "why" }, verdict.why_not.map((sentence) => el("li", {}, words(sentence.replace(/≈\S+/g, rounded))))))
      : null,
    verdict.word === "undecided" ? null : el("div", { class: "row" },
      button("Download certificate", downloadCertificate, { id: "download-certificate" }),
      button("Verify it", verifyIt, { id: "verify-certificate" }),
      button(showsAllDigits() ? "Fewer digits" : "More digits", () => {
        toggleDigits();
        showVerdict();
        document.dispatchEvent(new Event("digits"));
        byId("digits").focus();
      }, { id: "digits", class: "plain" })),
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
