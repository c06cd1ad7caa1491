// SPDX-License-Identifier: Apache-2.0
// Detections that are not tracked, with the configuration key that decided. The worker explains only while it is on.
import { element, Table } from "./dom.js";
import { label, unit } from "./overlay.js";

const mostFrames = 120;
/** Frames for which a detector's newest explanation is drawn: a detector with a low rate leaves frames out. */
const reach = 15;
const mostBoxes = 40;
const ink = "#ff2a00";
/** How long a reason stays in the list after its last frame, in milliseconds. */
const memory = 3000;
const mostEnded = 8;

export class WhyNot {
  /** `changed` is called when the switch changes. */
  constructor(changed) {
    this.isOn = false;
    this.button = element("button", {
      type: "button", "aria-pressed": "false",
      onclick: () => {
        this.isOn = !this.isOn;
        this.button.setAttribute("aria-pressed", String(this.isOn));
        this.panel.hidden = !this.isOn;
        this.forget();
        changed();
      },
    }, "Why not?");
    this.untracked = new Table("Detections that are not tracked", ["Detector", "Key", "Reason", "Now"],
      { numbers: [3], empty: "every detection is tracked" });
    this.ended = new Table("Tracks that have ended", ["Detector", "Track", "Reason"], { empty: "no track has ended since" });
    this.panel = element("section", { class: "panel", hidden: true, "aria-label": "Why not?" },
      element("h3", {}, "Not tracked"), this.untracked.view, element("h3", {}, "Ended tracks"), this.ended.view);
    this.forget();
  }

  forget() {
    this.epoch = 0;
    this.frames = new Map(); // frame number -> Map(detector -> entries)
    this.reasons = new Map(); // text -> the row's cells, how many, and when
    this.ends = [];
    this.show();
  }

  /** Takes a line of the event stream. A frame line without an explanation says that everything is tracked. */
  take(line) {
    if (!this.isOn || !line.frame || (line.type !== "explain" && line.type !== "frame")) return;
    if (line.frame.epoch !== this.epoch) {
      this.frames.clear();
      this.epoch = line.frame.epoch;
    }
    const { seq, width } = line.frame;
    if (!this.frames.has(seq)) this.frames.set(seq, new Map());
    if (this.frames.size > mostFrames) this.frames.delete(this.frames.keys().next().value);
    const detectors = this.frames.get(seq);
    if (line.type === "frame") {
      if (!detectors.has(line.detector)) detectors.set(line.detector, []);
      return;
    }
    detectors.set(line.detector, line.untracked.map((entry) => ({ ...entry, width })));
    this.remember(line);
  }

  remember(line) {
    for (const row of this.reasons.values()) if (row.detector === line.detector) row.count = 0;
    for (const entry of line.untracked) {
      const name = `${line.detector} ${entry.cause} ${entry.key ?? ""}`;
      const row = this.reasons.get(name) ?? { detector: line.detector, count: 0 };
      row.count += 1;
      row.entry = entry;
      row.time = performance.now();
      this.reasons.set(name, row);
    }
    for (const end of line.ended) this.ends.unshift({ detector: line.detector, ...end });
    this.ends.length = Math.min(this.ends.length, mostEnded);
  }

  /** The entries to draw on a frame: of each detector those of the newest processed frame, marked if old. */
  entries(seq) {
    const newest = new Map();
    for (let number = Math.max(0, seq - reach); number <= seq; number += 1) {
      for (const [detector, entries] of this.frames.get(number) ?? []) {
        newest.set(detector, entries.map((entry) => ({ ...entry, isOld: number < seq })));
      }
    }
    return [...newest.values()].flat();
  }

  draw(context) {
    const { seq, epoch } = context.canvas.dataset;
    if (!this.isOn || Number(epoch) !== this.epoch) return;
    const pixel = unit(context.canvas);
    for (const entry of this.entries(Number(seq)).slice(0, mostBoxes)) {
      const scale = context.canvas.width / entry.width;
      context.globalAlpha = entry.isOld ? 0.4 : 1;
      const area = [entry.box.x, entry.box.y, entry.box.w, entry.box.h].map((value) => value * scale);
      context.lineWidth = Math.round(2 * pixel);
      // A bright line on a dark one stands out from every picture.
      context.strokeStyle = "#000";
      context.setLineDash([]);
      context.strokeRect(...area);
      context.strokeStyle = ink;
      context.setLineDash([4 * pixel, 4 * pixel]);
      context.strokeRect(...area);
      context.setLineDash([]);
      label(context, `${entry.key ?? entry.cause}${entry.confidence === undefined ? "" : ` ${entry.confidence.toFixed(2)}`}`,
        area[0], area[1], ink);
    }
    context.globalAlpha = 1;
  }

  /** Shows the lists. Call it at intervals: numbers that change with each frame cannot be read. */
  show() {
    const now = performance.now();
    for (const [name, row] of this.reasons) if (now - row.time > memory) this.reasons.delete(name);
    const rows = [...this.reasons.values()].sort((left, right) => left.detector.localeCompare(right.detector));
    this.untracked.show(rows.map(({ detector, entry, count }) =>
      [detector, entry.key ? element("code", {}, entry.key) : "", reason(entry), String(count)]));
    this.ended.show(this.ends.map((end) => [end.detector, end.track ? `#${end.track}` : "unreported", ending(end)]));
  }
}

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/** The reason why a detection is not tracked, as a sentence. */
export function reason({ cause, key, confidence, limit, overlap, hits, reads, limit_ms: milliseconds }) {
  switch (cause) {
    case "below_threshold":
      return key === "low"
        ? `confidence ${confidence?.toFixed(2)} is below ${limit.toFixed(2)}: not looked at`
        : `confidence ${confidence?.toFixed(2)} is below ${limit.toFixed(2)}: too weak to start a track`;
    case "suppressed": return `lies on a better detection (overlap ${overlap.toFixed(2)})`;
    case "tentative": return `seen in ${hits} of ${limit} frames`;
    case "capacity": return `there are ${limit} already`;
    case "unconfirmed": return `its value was read ${reads} of ${limit} times`;
    case "cooldown": return `a track with its value ended less than ${seconds(milliseconds)} ago`;
    case "same_value": return "another symbol with its value is tracked";
    case "filtered": return key === "allow" ? "its value matches no pattern" : "its value matches a pattern";
    case "undecoded": return "looks like a code, and could not be read";
    case "too_small": return `narrower than ${(100 * limit).toFixed(1)} % of the picture`;
    case "out_of_focus": return "another track has the focus";
    case "invalid": return "it has no area, or lies outside of the picture";
    default: return cause;
  }
}

/** The rule that ended a track, as a sentence. */
export function ending({ rule, unseen_ms: unseen, limit_ms: milliseconds, missed_runs: missed, limit, hits, reads }) {
  switch (rule) {
    case "max_gap": return `max_gap: not seen for ${seconds(unseen)}, the limit is ${seconds(milliseconds)}`;
    case "max_gap_frames": return `max_gap_frames: not seen in ${missed} frames, the limit is ${limit}`;
    case "hits": return `hits: missed after ${hits} of ${limit} frames`;
    case "confirm_reads": return `confirm_reads: gone after ${reads} of ${limit} reads`;
    case "capacity": return `capacity: a new one needed its place, there may be ${limit}`;
    default: return rule;
  }
}
