// The engine of the page without a server: the messages of the API, answered in the browser. Exact, for
// points on the line and in the plane; what it cannot do it says, with the command that can.
import { fewest, lift, network, space } from "./engine_beyond.js";
import { certificate, certificateOf, verify } from "./engine_proof.js";
import { Refused, run, steps } from "./engine_run.js";
import { columns, pointsOf } from "./engine_table.js";
import { verdict } from "./engine_verdict.js";

const MOST_POINTS = 300;
const MOST_WORK = 3e6; // examples presented

const INSTALL = 'pip install "novikoff[lab]", then ';

function tooMuch(what, command) {
  return () => {
    throw new Refused(`${what} needs more than this page. On your own machine: ${INSTALL}${command}`);
  };
}

// How many epochs of a run are not too much work.
function mostEpochs(points, options) {
  if (!points?.X.length || !options) return Infinity;
  const looks = options.order === "worst" ? points.X.length : 1;
  return Math.max(1, Math.floor(MOST_WORK / points.X.length / looks));
}

const ANSWERS = {
  verdict,
  steps,
  run: (asked) => run(asked, certificateOf),
  certificate, verify, fewest, lift, space, network, columns,
  points: pointsOf,
  compare: tooMuch("Comparing the pocket and the average", "novikoff lab"),
  regions: tooMuch("A kernel", "novikoff lab"),
};

// The status and the answer, as the server gives them.
export function answer(path, asked) {
  try {
    const points = asked?.points;
    if (points?.names?.length > 2) tooMuch(`Data with ${points.names.length} columns`, "novikoff check FILE --label COLUMN")();
    if (points?.X?.length > MOST_POINTS) tooMuch(`More than ${MOST_POINTS} points`, "novikoff lab")();
    if (!ANSWERS[path]) throw new Refused(`There is no answer to ${path} here.`);
    const epochs = mostEpochs(points, asked?.options);
    const isShort = epochs < asked?.options?.max_iter;
    const body = ANSWERS[path](isShort ? { ...asked, options: { ...asked.options, max_iter: epochs } } : asked);
    if (isShort && path === "run" && body.status === "REACHED_MAX_ITER") {
      body.summary.push(`This page stops a run there. For all ${asked.options.max_iter} epochs, on your own machine: ${INSTALL}novikoff lab`);
    }
    return { status: 200, body };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { status: 422, body: { error: error.message } };
  }
}

if (typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope) {
  self.addEventListener("message", ({ data: { id, path, asked } }) => {
    try {
      self.postMessage({ id, ...answer(path, asked) });
    } catch (error) {
      self.postMessage({ id, status: 500, body: { error: "This is a mistake in novikoff: please report it with the link of this page." } });
      throw error;
    }
  });
}
