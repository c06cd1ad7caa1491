// SPDX-License-Identifier: Apache-2.0
// The lines beside a clip, by the time in the clip. Values only: no page.
import { key } from "./frames.js";

/** How far the times of a frame and of its lines may differ, in seconds. */
const near = 0.008;
/** How long a box without a newer one is shown, marked as old, in seconds. */
const old = 0.5;

export class ClipLines {
  /** `text`: the JSON lines beside the clip. `from`: the time of the clip's first frame. */
  constructor(text, from) {
    const lines = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    const tracks = lines.filter((line) => ["detected", "update", "missing", "completed"].includes(line.type));
    // Presentation times are exact, and the clock's times are not: the median tells where the clip begins.
    const starts = tracks.map((line) => line.frame.pts_ns / 1e9 - seconds(line.time, from)).sort((a, b) => a - b);
    const start = starts[Math.floor(starts.length / 2)] ?? 0;
    this.frames = new Map(); // time in the clip, in seconds -> lines
    for (const line of tracks) {
      const time = line.frame.pts_ns / 1e9 - start;
      this.frames.set(time, [...(this.frames.get(time) ?? []), line]);
    }
    this.times = [...this.frames.keys()].sort((a, b) => a - b);
  }

  /** The lines to draw at a time, as those of FrameLines.lines. */
  at(time) {
    const shown = new Map();
    for (const each of this.times) {
      if (each > time + near) break;
      if (each < time - old) continue;
      for (const line of this.frames.get(each)) {
        if (line.type === "completed") shown.delete(key(line));
        else shown.set(key(line), { line, isOld: each < time - near });
      }
    }
    return [...shown.values()];
  }
}

/** The seconds from one time in RFC 3339 to another. */
function seconds(time, from) {
  const fraction = (text) => Number(`0${text.slice(19, -1)}`);
  const whole = (text) => Date.parse(`${text.slice(0, 19)}Z`) / 1000;
  return whole(time) - whole(from) + fraction(time) - fraction(from);
}
