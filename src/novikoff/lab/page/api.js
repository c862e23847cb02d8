// Asking the engine. Every number on the page comes through here.
export class Refusal extends Error {}

let asking = 0;

// How many questions are on their way: for those who wait until the page is at rest.
function count(by) {
  asking += by;
  document.body.dataset.asking = asking;
}

// The page without a server brings its engine with it, and asks it in a worker.
const alone = document.documentElement.dataset.engine === "browser";
const waiting = new Map();
let worker = null;

function askWorker(path, asked) {
  if (worker === null) {
    worker = new Worker(new URL("engine.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => {
      waiting.get(data.id)(data);
      waiting.delete(data.id);
    });
  }
  const id = waiting.size ? Math.max(...waiting.keys()) + 1 : 1;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    worker.postMessage({ id, path, asked });
  });
}

async function answeredHere(path, asked) {
  count(1);
  try {
    if (asked === undefined) {
      const kept = await (await fetch("answers.json")).json();
      if (path in kept) return kept[path];
      throw new Refusal(`The page without a server has no ${path}: run novikoff lab.`);
    }
    const { status, body } = await askWorker(path, asked);
    if (status === 200) return body;
    throw new Refusal(body.error);
  } finally {
    count(-1);
  }
}

async function answered(request) {
  let response;
  count(1);
  try {
    response = await fetch(...request);
    const answer = await response.json();
    if (response.ok) return answer;
    throw new Refusal(answer.error ?? `The lab answered ${response.status}.`);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal("The lab does not answer: is `novikoff lab` still running?");
  } finally {
    count(-1);
  }
}

export const get = (path) => (alone ? answeredHere(path) : answered([`api/${path}`]));

export const post = (path, body) =>
  alone ? answeredHere(path, body) : answered([
    `api/${path}`,
    {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    },
  ]);

// One question at a time: while one is on its way only the newest of those that follow is kept,
// so that dragging a point never builds up a queue. `take` gets the answers, `fail` the refusals.
export function latest(ask, take, fail) {
  let busy = false;
  let next = null;
  return async function asking(...args) {
    if (busy) {
      next = args;
      return;
    }
    busy = true;
    try {
      for (let now = args; now !== null; now = next) {
        next = null;
        try {
          const answer = await ask(...now);
          if (next === null) take(answer, ...now);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          if (next === null) fail(error, ...now);
        }
        if (next === null) break;
      }
    } finally {
      busy = false;
    }
  };
}
