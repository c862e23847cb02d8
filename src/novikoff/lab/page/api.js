// Asking the engine. Every number on the page comes through here.
export class Refusal extends Error {}

let asking = 0;

// How many questions are on their way: for those who wait until the page is at rest.
function count(by) {
  asking += by;
  document.body.dataset.asking = asking;
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

export const get = (path) => answered([`api/${path}`]);

export const post = (path, body) =>
  answered([
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
