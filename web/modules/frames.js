// SPDX-License-Identifier: Apache-2.0
// Puts lines and pictures of one frame together. Values only: no page, no clock of its own.

const mostFrames = 240;
const mostTrail = 20;

/** The lines of a pipeline, by frame. */
export class FrameLines {
  constructor() {
    this.epoch = 0;
    this.frames = new Map(); // frame number -> Map(track key -> line)
    this.newest = new Map(); // detector -> newest processed frame number
    this.times = new Map(); // frame number -> presentation time in nanoseconds
    this.live = new Map(); // track key -> newest line
    this.trails = new Map(); // track key -> centres
  }

  /** Takes an event line. Returns whether it changes what is shown. */
  take(line) {
    if (line.type === "state") {
      this.live.clear();
      for (const track of line.tracks ?? []) this.live.set(key(track), track);
      return true;
    }
    if (!line.frame) return false;
    if (line.frame.epoch > this.epoch) this.begin(line.frame.epoch);
    if (line.frame.epoch !== this.epoch) return false;
    const seq = line.frame.seq;
    switch (line.type) {
      case "frame":
        this.newest.set(line.detector, Math.max(seq, this.newest.get(line.detector) ?? 0));
        this.frame(seq, line.frame.pts_ns);
        return true;
      case "detected":
      case "update":
      case "missing": {
        const name = key(line);
        this.frame(seq, line.frame.pts_ns).set(name, line);
        this.live.set(name, line);
        if (line.box && line.type !== "missing") {
          const trail = this.trails.get(name) ?? [];
          trail.push({ seq, x: line.box.x + line.box.w / 2, y: line.box.y + line.box.h / 2 });
          if (trail.length > mostTrail) trail.shift();
          this.trails.set(name, trail);
        }
        return true;
      }
      case "completed":
        this.live.delete(key(line));
        this.trails.delete(key(line));
        return true;
      default:
        return false;
    }
  }

  begin(epoch) {
    this.epoch = epoch;
    this.frames.clear();
    this.newest.clear();
    this.times.clear();
    this.live.clear();
    this.trails.clear();
  }

  frame(seq, time) {
    let lines = this.frames.get(seq);
    if (!lines) {
      lines = new Map();
      this.frames.set(seq, lines);
      this.times.set(seq, time);
      if (this.frames.size > mostFrames) {
        const oldest = this.frames.keys().next().value;
        this.frames.delete(oldest);
        this.times.delete(oldest);
      }
    }
    return lines;
  }

  /**
   * The number of the frame with this presentation time. A frame without lines is half a number behind the last one
   * before it. null while no line of a frame of this time or a later one is known.
   */
  numberAt(time) {
    let before = null;
    let isPassed = false;
    for (const [seq, each] of this.times) {
      if (each === time) return seq;
      if (each < time) before = Math.max(before ?? 0, seq + 0.5);
      else isPassed = true;
    }
    return isPassed ? before : null;
  }

  /** The number of the last frame before this presentation time, and a half. */
  numberBefore(time) {
    return Math.max(0, ...[...this.times].filter(([, each]) => each < time).map(([seq]) => seq)) + 0.5;
  }

  /** Whether every one of these detectors is done with a frame, or has left it out. */
  isComplete(seq, detectors) {
    return detectors.every((name) => (this.newest.get(name) ?? -1) >= seq);
  }

  /**
   * The lines to draw on a frame. A track without a line for just this frame keeps its line of at most 15 frames
   * before, marked as old. If its detector has looked at no later frame, it keeps its last line.
   */
  lines(seq) {
    const shown = new Map();
    for (const [name, line] of this.live) {
      const number = line.frame?.epoch === this.epoch ? line.frame.seq : Infinity;
      if (number <= seq && (this.newest.get(line.detector) ?? 0) <= number) shown.set(name, { line, isOld: number !== seq });
    }
    for (let number = Math.max(0, Math.ceil(seq - 15)); number <= seq; number += 1) {
      for (const [name, line] of this.frames.get(number) ?? []) {
        shown.set(name, { line, isOld: number !== seq });
      }
    }
    for (const name of shown.keys()) if (!this.live.has(name)) shown.delete(name);
    return [...shown.values()];
  }

  trail(line, seq) {
    return (this.trails.get(key(line)) ?? []).filter((point) => point.seq <= seq);
  }
}

export function key(line) {
  return `${line.detector}/${line.track?.id}`;
}

/** The name of a track for people. */
export function title(line) {
  const value = line.barcode?.redacted ? "(redacted)" : line.barcode?.display;
  const label = line.object?.label ?? line.object?.labels?.[0]?.label ?? line.scene?.labels?.[0]?.label ?? line.labels?.[0]?.label;
  return [line.kind, `#${line.track?.id}`, value ?? label].filter(Boolean).join(" ");
}
