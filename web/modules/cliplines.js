// SPDX-License-Identifier: Apache-2.0
// The lines beside a clip, by the time in the clip. Values only: no page.
import { key } from "./frames.js";

/** How far the times of a frame and of its lines may differ, in seconds. */
const near = 0.008;
/** How long a box without a newer one is shown, marked as old, in seconds. */
const old = 0.5;

export class ClipLines {
  /** `text`: the JSON lines beside the clip. `start`: `pts_ns` of the clip's first frame. */
  constructor(text, start) {
    const lines = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    const tracks = lines.filter((line) => ["detected", "update", "missing", "completed"].includes(line.type));
    this.frames = new Map(); // time in the clip, in seconds -> lines
    for (const line of tracks) {
      const time = (line.frame.pts_ns - start) / 1e9;
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
