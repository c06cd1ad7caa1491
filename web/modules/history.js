// SPDX-License-Identifier: Apache-2.0
// Past tracks and searches, with their best pictures.
import { address, get } from "./api.js";
import { Clips } from "./clips.js";
import { element, kindLabel, time } from "./dom.js";
import { Filters } from "./filters.js";

export function history(main) {
  const since = element("input", { type: "datetime-local", name: "since" });
  const until = element("input", { type: "datetime-local", name: "until" });
  const filters = new Filters();
  const text = element("input", { type: "search", name: "text" });
  const told = element("p", { class: "note soft", role: "status" });
  const list = element("ul", { class: "entries" });
  const form = element("form", { class: "bar" }, element("label", {}, "From", since), element("label", {}, "To", until),
    ...filters.fields, filters.zoneField, element("label", {}, "Text of a code", text),
    element("button", { type: "submit", class: "main" }, "Search"));
  const clips = new Clips();
  main.append(element("h2", {}, "History"), form, clips.view, element("h3", {}, "Tracks and searches"), told, list);

  const utc = (input) => (input.value ? new Date(input.value).toISOString() : "");
  let searches = 0;
  const search = async () => {
    const own = ++searches;
    told.textContent = "searching";
    const common = { since: utc(since), until: utc(until), pipeline: filters.pipeline };
    try {
      const [found] = await Promise.all([
        get(address("/api/history", { ...common, kind: filters.kind, zone: filters.zone, text: text.value, limit: 100 })),
        clips.search(common),
      ]);
      if (own !== searches) return;
      list.replaceChildren(...found.entries.map(entry));
      told.textContent = found.entries.length === 100 ? "the newest 100 entries" : `${found.entries.length} entries`;
    } catch (problem) {
      if (own !== searches) return;
      list.replaceChildren();
      told.textContent = problem.isPassing ? `${problem.message}; trying again` : problem.message;
      if (problem.isPassing) setTimeout(() => own === searches && search(), 2000);
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  search();
  return () => {
    searches += 1;
    filters.end();
    clips.close();
  };
}

function entry(each) {
  const what = each.value ?? each.last?.label ?? `track ${each.id}`;
  const picture = each.picture
    ? element("img", { src: `/api/history/${each.run_id}:${each.seq}/picture.jpg`, alt: `${each.kind} ${what}`, loading: "lazy" })
    : element("div", { class: "no-picture" }, "no picture");
  const seconds = each.duration_ms === undefined ? "" : `, ${(each.duration_ms / 1000).toFixed(1)} s`;
  return element("li", { class: "panel" }, picture,
    element("p", {}, kindLabel(each.kind), ` ${what}`),
    element("p", { class: "soft" }, `${time(each.first_seen ?? each.time)}${seconds}, ${each.pipeline}`),
    each.zones ? element("p", { class: "soft" }, each.zones.map(({ zone, dwell_ms: dwell }) => `${zone} ${(dwell / 1000).toFixed(1)} s`).join(", ")) : null);
}
