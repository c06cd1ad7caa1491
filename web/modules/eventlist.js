// SPDX-License-Identifier: Apache-2.0
// A live list of events with filters.
import { clock, element, kindLabel } from "./dom.js";
import { EventDetail } from "./eventdetail.js";
import { recent, subscribe } from "./events.js";
import { title } from "./frames.js";
import { Filters } from "./filters.js";

const most = 200;
const types = ["detected", "completed", "zone", "line", "search", "snapshot", "clip", "source", "detector", "config", "missing", "update"];

export function eventList(main) {
  const filters = new Filters(() => begin());
  const type = element("select", { onchange: () => begin() }, element("option", { value: "" }, "all but updates"),
    ...types.map((each) => element("option", { value: each }, each)));
  const pause = element("button", { type: "button", "aria-pressed": "false" }, "Pause the list");
  const body = element("tbody", {});
  const empty = element("p", { class: "soft" }, "no event yet");
  const grid = element("div", { class: "scroll panel", tabindex: "0", role: "region", "aria-label": "List of events", hidden: true },
    element("table", { class: "events" },
      element("thead", {}, element("tr", {}, ...["Time", "Pipeline", "Event", "Kind", "What"].map((head) => element("th", { scope: "col" }, head)))), body));
  const detail = new EventDetail();
  main.append(
    element("h2", {}, "Events"),
    element("div", { class: "bar" }, ...filters.fields, element("label", {}, "Type", type), pause),
    element("div", { class: "master" }, element("div", {}, empty, grid), detail.view));

  let isPaused = false;
  pause.addEventListener("click", () => {
    isPaused = !isPaused;
    pause.setAttribute("aria-pressed", String(isPaused));
  });
  let end = () => {};
  const begin = () => {
    end();
    body.replaceChildren();
    detail.forget();
    [empty.hidden, grid.hidden] = [false, true];
    const wanted = type.value || types.filter((each) => each !== "update" && each !== "missing").join(",");
    end = recent((after) => subscribe({ pipelines: filters.pipeline, types: wanted, kinds: filters.kind, after }, (line, id) => {
      // A gap before the first event only says how far back the daemon remembers.
      if (line.type === "state" || (line.type === "gap" && !body.children.length)) return;
      detail.take(line, id);
      if (isPaused) return;
      [empty.hidden, grid.hidden] = [true, false];
      body.prepend(row(line, () => detail.show(line, id, words(line))));
      while (body.children.length > most) body.lastChild.remove();
    }));
  };
  begin();
  return () => {
    end();
    filters.end();
  };
}

/** The subject of an event in a few words. */
export function words(line) {
  switch (line.type) {
    case "zone": return `${title(line)}: ${line.state} ${line.zone}${line.dwell_ms === undefined ? "" : ` after ${(line.dwell_ms / 1000).toFixed(1)} s`}`;
    case "line": return `${title(line)}: ${line.direction} through ${line.line}`;
    case "source": return [line.state, line.reason, line.error].filter(Boolean).join(": ");
    case "detector": return `${line.detector}: ${line.operational ? "operational" : line.reason ?? "not operational"}`;
    case "completed": return `${title(line)}: ${line.reason ?? ""}`;
    case "gap": return `events ${line.from ?? "?"} to ${line.to ?? "?"} are missing: ${line.reason}`;
    case "config": return line.error ?? `revision ${line.revision}`;
    case "snapshot": return [line.rule, line.kind, line.id && `#${line.id}`].filter(Boolean).join(" ");
    case "clip": return line.file?.split("/").at(-1) ?? "";
    default: return line.track ? title(line) : line.state ?? "";
  }
}

function row(line, open) {
  const button = element("button", { type: "button", class: "small", onclick: open }, line.type);
  return element("tr", {}, element("td", { class: "time" }, element("time", { datetime: line.time }, clock(line.time))), element("td", { class: "text" }, line.pipeline ?? ""), element("td", {}, button),
    element("td", {}, line.kind ? kindLabel(line.kind) : ""), element("td", { class: "text" }, words(line)));
}
