// SPDX-License-Identifier: Apache-2.0
// The event stream. The browser resumes it by itself with the id of the last event.
import { address } from "./api.js";
import { whileVisible } from "./attention.js";
import { watchStatus } from "./status.js";

/** How many events before the newest a list begins with, those included that its filter leaves out. */
const reach = 20_000;

/** Calls `take` with each line. Returns a function that ends the stream. */
export function subscribe(parameters, take) {
  let source = null;
  let timer = null;
  let last = parameters.after ?? null;
  const open = () => {
    source = new EventSource(address("/api/events", { ...parameters, after: last }));
    const receive = (message) => {
      if (message.lastEventId) last = message.lastEventId;
      let line;
      try {
        line = JSON.parse(message.data);
      } catch {
        return;
      }
      take(line, message.lastEventId);
    };
    source.onmessage = receive;
    for (const name of ["state", "gap", "refused"]) source.addEventListener(name, receive);
    // A browser gives up for good when the answer is an error.
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(timer);
      timer = setTimeout(open, 2000);
    };
  };
  return whileVisible(() => {
    open();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  });
}

/** Calls `begin` with an id from which the newest past events come too, once the daemon's newest event is known. */
export function recent(begin) {
  let end = () => {};
  let isBegun = false;
  const endStatus = watchStatus((status) => {
    if (isBegun) return;
    isBegun = true;
    end = begin(`${status.run_id}:${Math.max(0, status.next_seq - 1 - reach)}`);
  });
  return () => {
    isBegun = true;
    endStatus();
    end();
  };
}
