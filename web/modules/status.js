// SPDX-License-Identifier: Apache-2.0
// The daemon's status, asked for at intervals, and the line at the top that says whether it comes.
import { get } from "./api.js";

const listeners = new Set();
export let status = null;
let failure = null;

export function watchStatus(listener) {
  listeners.add(listener);
  if (status) listener(status);
  return () => listeners.delete(listener);
}

export function pipeline(name) {
  return status?.pipelines?.find((each) => each.name === name);
}

/** A pipeline's state for people; empty while it is connected. */
export function stateText(each) {
  if (!each) return "there is no such pipeline";
  if (each.state === "connected") return each.pictures_withheld ? `no pictures: ${each.pictures_withheld}` : "";
  const why = each.last_error ?? each.reason;
  return `${stateSince(each)}${why ? `: ${why}` : ""}`;
}

export function stateSince(each) {
  return each.since ? `${each.state} since ${new Date(each.since).toLocaleTimeString()}` : each.state;
}

function say(text, isBad) {
  const line = document.getElementById("connection");
  if (line.textContent !== text) line.textContent = text;
  line.classList.toggle("bad", isBad);
}

export async function poll(interval = 2000) {
  for (;;) {
    try {
      const next = await get("/api/pipelines");
      status = next;
      failure = null;
      say(`${next.server ?? "glimpsed"}, connected`, false);
      for (const listener of listeners) listener(status);
    } catch (problem) {
      failure = problem;
      say(`${problem.message}; trying again`, true);
    }
    await new Promise((done) => setTimeout(done, document.hidden ? 4 * interval : interval));
  }
}

export function isConnected() {
  return failure === null && status !== null;
}
