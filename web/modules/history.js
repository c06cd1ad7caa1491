// Past tracks and searches, with their best pictures.
import { address, get } from "./api.js";
import { Clips } from "./clips.js";
import { element, kindLabel, time } from "./dom.js";
import { watchStatus } from "./status.js";

export function history(main) {
  const since = element("input", { type: "datetime-local", name: "since" });
  const until = element("input", { type: "datetime-local", name: "until" });
  const pipeline = element("select", {}, element("option", { value: "" }, "all"));
  const kind = element("select", {}, element("option", { value: "" }, "all"),
    ...["face", "barcode", "object", "scene"].map((each) => element("option", { value: each }, each)));
  const text = element("input", { type: "search", name: "text" });
  const told = element("p", { class: "note soft", role: "status" });
  const list = element("ul", { class: "entries" });
  const form = element("form", { class: "bar" }, element("label", {}, "From", since), element("label", {}, "To", until),
    element("label", {}, "Pipeline", pipeline), element("label", {}, "Kind", kind), element("label", {}, "Text of a code", text),
    element("button", { type: "submit", class: "main" }, "Search"));
  const clips = new Clips();
  main.append(element("h2", {}, "History"), form, clips.view, element("h3", {}, "Tracks and searches"), told, list);

  const known = new Set();
  const endStatus = watchStatus((status) => {
    for (const { name } of status.pipelines) {
      if (known.has(name)) continue;
      known.add(name);
      pipeline.append(element("option", { value: name }, name));
    }
  });
  const utc = (input) => (input.value ? new Date(input.value).toISOString() : "");
  const search = async () => {
    told.textContent = "searching";
    clips.search({ since: utc(since), until: utc(until), pipeline: pipeline.value });
    try {
      const found = await get(address("/api/history", {
        since: utc(since), until: utc(until), pipeline: pipeline.value, kind: kind.value, text: text.value, limit: 100,
      }));
      list.replaceChildren(...found.entries.map(entry));
      told.textContent = found.entries.length === 100 ? "the newest 100 entries" : `${found.entries.length} entries`;
    } catch (problem) {
      list.replaceChildren();
      told.textContent = problem.message;
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  search();
  return () => {
    endStatus();
    clips.close();
  };
}

function entry(each) {
  const what = each.value ?? each.last?.label ?? `track ${each.id}`;
  const picture = each.picture
    ? element("img", { src: `/api/history/${each.run_id}:${each.seq}/picture.jpg`, alt: `${each.kind} ${what}`, loading: "lazy" })
    : null;
  const seconds = each.duration_ms === undefined ? "" : `, ${(each.duration_ms / 1000).toFixed(1)} s`;
  return element("li", { class: "panel" }, picture,
    element("p", {}, kindLabel(each.kind), ` ${what}`),
    element("p", { class: "soft" }, `${time(each.first_seen ?? each.time)}${seconds}, ${each.pipeline}`));
}
