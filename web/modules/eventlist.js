// A live list of events with filters.
import { clock, element, kindLabel } from "./dom.js";
import { subscribe } from "./events.js";
import { title } from "./frames.js";
import { watchStatus } from "./status.js";

const most = 200;
const types = ["detected", "completed", "zone", "line", "search", "snapshot", "source", "detector", "config", "missing", "update"];

export function eventList(main) {
  const pipelines = element("select", {}, element("option", { value: "" }, "all"));
  const type = element("select", {}, element("option", { value: "" }, "all but updates"),
    ...types.map((each) => element("option", { value: each }, each)));
  const kind = element("select", {}, element("option", { value: "" }, "all"),
    ...["face", "barcode", "object", "scene"].map((each) => element("option", { value: each }, each)));
  const pause = element("button", { type: "button", "aria-pressed": "false" }, "Pause the list");
  const body = element("tbody", {});
  const detail = element("section", { class: "panel", hidden: true, "aria-label": "Event" });
  const empty = element("p", { class: "soft" }, "no event yet");
  main.append(
    element("h2", {}, "Events"),
    element("div", { class: "bar" }, element("label", {}, "Pipeline", pipelines), element("label", {}, "Type", type),
      element("label", {}, "Kind", kind), pause),
    detail, empty,
    element("div", { class: "scroll panel" }, element("table", {},
      element("thead", {}, element("tr", {}, ...["Time", "Pipeline", "Event", "Kind", "What"].map((head) => element("th", { scope: "col" }, head)))), body)));

  let isPaused = false;
  pause.addEventListener("click", () => {
    isPaused = !isPaused;
    pause.setAttribute("aria-pressed", String(isPaused));
  });
  const known = new Set();
  const endStatus = watchStatus((status) => {
    for (const { name } of status.pipelines) {
      if (known.has(name)) continue;
      known.add(name);
      pipelines.append(element("option", { value: name }, name));
    }
  });
  let end = null;
  const begin = () => {
    end?.();
    body.replaceChildren();
    const wanted = type.value || types.filter((each) => each !== "update" && each !== "missing").join(",");
    end = subscribe({ pipelines: pipelines.value, types: wanted, kinds: kind.value }, (line, id) => {
      if (isPaused || line.type === "state") return;
      empty.textContent = "";
      body.prepend(row(line, () => show(detail, line, id)));
      while (body.children.length > most) body.lastChild.remove();
    });
  };
  for (const select of [pipelines, type, kind]) select.addEventListener("change", begin);
  begin();
  return () => {
    end();
    endStatus();
  };
}

/** The subject of an event in a few words. */
export function words(line) {
  switch (line.type) {
    case "zone": return `${title(line)}: ${line.zone} ${line.state}`;
    case "line": return `${title(line)}: ${line.line} ${line.direction}`;
    case "source": return [line.state, line.reason, line.error].filter(Boolean).join(": ");
    case "detector": return `${line.detector}: ${line.operational ? "operational" : line.reason ?? "not operational"}`;
    case "completed": return `${title(line)}: ${line.reason ?? ""}`;
    case "gap": return `events ${line.from ?? "?"} to ${line.to ?? "?"} are missing: ${line.reason}`;
    case "config": return line.error ?? `revision ${line.revision}`;
    case "snapshot": return line.file?.split("/").at(-1) ?? "";
    default: return line.track ? title(line) : line.state ?? "";
  }
}

function row(line, open) {
  const button = element("button", { type: "button", onclick: open }, line.type);
  return element("tr", {}, element("td", {}, clock(line.time)), element("td", { class: "text" }, line.pipeline ?? ""), element("td", {}, button),
    element("td", {}, line.kind ? kindLabel(line.kind) : ""), element("td", { class: "text" }, words(line)));
}

function show(detail, line, id) {
  const picture = element("img", { alt: "", hidden: true, width: 240 });
  if (line.type === "completed" && id) {
    picture.addEventListener("load", () => {
      picture.hidden = false;
      picture.alt = `Best picture of ${title(line)}`;
    });
    // The history gets the picture a moment after the line.
    const path = `/api/history/${encodeURIComponent(id).replace("%3A", ":")}/picture.jpg`;
    let tries = 0;
    picture.addEventListener("error", () => setTimeout(() => {
      tries += 1;
      if (picture.isConnected && tries < 10) picture.src = path;
    }, 1000));
    picture.src = path;
  }
  detail.hidden = false;
  detail.replaceChildren(
    element("h3", {}, `${line.type} ${words(line)}`), picture,
    element("pre", { tabindex: "0" }, JSON.stringify(line, null, 2)),
    element("button", { type: "button", onclick: () => (detail.hidden = true) }, "Close"));
  detail.scrollIntoView({ block: "nearest" });
}
