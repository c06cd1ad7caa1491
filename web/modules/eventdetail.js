// SPDX-License-Identifier: Apache-2.0
// One event: its picture, its track so far, and its line.
import { clock, element, kindLabel } from "./dom.js";
import { title } from "./frames.js";
import { pipeline } from "./status.js";

const mostTracks = 200;
const mostLines = 40;

const trackOf = (line) => (line.track?.id ?? line.id) && line.detector && JSON.stringify([line.pipeline, line.detector, line.track?.id ?? line.id]);

export class EventDetail {
  constructor() {
    this.tracks = new Map(); // track -> its lines with their ids
    this.view = element("section", { class: "panel detail", hidden: true, "aria-label": "Event", tabindex: "-1" });
  }

  forget() {
    this.tracks.clear();
    this.view.hidden = true;
  }

  /** Remembers a line for the story of its track. */
  take(line, id) {
    const track = trackOf(line);
    if (!track) return;
    const lines = this.tracks.get(track) ?? [];
    lines.push({ line, id });
    if (lines.length > mostLines) lines.shift();
    this.tracks.delete(track);
    this.tracks.set(track, lines);
    if (this.tracks.size > mostTracks) this.tracks.delete(this.tracks.keys().next().value);
  }

  show(line, id, heading) {
    const story = this.tracks.get(trackOf(line)) ?? [];
    this.view.hidden = false;
    this.view.replaceChildren(
      element("h3", {}, `${line.type} ${heading}`),
      picture(line, id, story),
      element("dl", {}, ...facts(line).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
      story.length > 1 ? element("h4", {}, "The track so far") : null,
      story.length > 1 ? element("ol", { class: "story" }, ...story.map((each) => element("li", { class: each.line === line ? "chosen" : "" },
        element("span", { class: "soft" }, clock(each.line.time)), ` ${step(each.line)}`))) : null,
      element("details", {}, element("summary", {}, "The line"), element("pre", { tabindex: "0" }, JSON.stringify(line, null, 2))),
      element("button", { type: "button", onclick: () => (this.view.hidden = true) }, "Close"));
    this.view.focus({ preventScroll: true });
    this.view.scrollIntoView({ block: "nearest" });
  }
}

function step(line) {
  switch (line.type) {
    case "zone": return `${line.state} ${line.zone}`;
    case "line": return `${line.direction} through ${line.line}`;
    case "completed": return `completed: ${line.reason}`;
    case "snapshot": return `picture: ${line.rule}`;
    default: return line.type;
  }
}

function facts(line) {
  const box = line.box && `${Math.round(line.box.w)} × ${Math.round(line.box.h)} at ${Math.round(line.box.x)}, ${Math.round(line.box.y)}`;
  return [
    ["Time", new Date(line.time).toLocaleString()], ["Pipeline", line.pipeline], ["Kind", line.kind && kindLabel(line.kind)],
    ["Track", (line.track || line.id) && title({ ...line, track: line.track ?? { id: line.id } }).replace(`${line.kind} `, "")],
    ["Frame", line.frame && `${line.frame.seq} of epoch ${line.frame.epoch}`], ["Box", box],
    ["In zones", line.zones?.join(", ")], ["Seen for", line.duration_ms !== undefined && `${(line.duration_ms / 1000).toFixed(1)} s`],
    ["Error", line.error],
  ].filter(([, value]) => value);
}

/**
 * The stored picture of the moment: that of the event itself, or one of its track. Without one, the picture of now.
 */
function picture(line, id, story) {
  const stored = [{ line, id }, ...story.filter((each) => each.line.frame?.seq === line.frame?.seq), ...[...story].reverse()]
    .filter((each) => each.id && ["completed", "snapshot", "search"].includes(each.line.type));
  const choices = [...new Map(stored.map((each) => [each.id, each])).values()].map((each) => ({
    path: `/api/history/${encodeURIComponent(each.id).replace("%3A", ":")}/picture.jpg`,
    text: each.line.type === "completed" ? "the track's best picture" : `picture: ${each.line.rule ?? each.line.type}`,
  }));
  if (line.pipeline && pipeline(line.pipeline)?.state === "connected") {
    choices.push({ path: `/api/pipelines/${encodeURIComponent(line.pipeline)}/picture.jpg?width=640`, text: "the picture now: none of this event is stored" });
  }
  const image = element("img", { alt: "", hidden: true });
  const caption = element("figcaption", { class: "note soft" }, choices.length ? "" : "no picture of this event is stored");
  const next = () => {
    const choice = choices.shift();
    if (!choice) {
      caption.textContent = "no picture of this event is stored";
      return;
    }
    image.onload = () => {
      image.hidden = false;
      image.alt = `${line.type} ${title({ ...line, track: line.track ?? { id: line.id } })}: ${choice.text}`;
      caption.textContent = choice.text;
    };
    image.src = choice.path;
  };
  image.onerror = next;
  if (choices.length) next();
  return element("figure", {}, image, caption);
}
