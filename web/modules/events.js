// The event stream. The browser resumes it by itself with the id of the last event.
import { address } from "./api.js";

/** Calls `take` with each line. Returns a function that ends the stream. */
export function subscribe(parameters, take) {
  let source = null;
  let timer = null;
  let last = null;
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
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
