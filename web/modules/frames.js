// Puts lines and pictures of one frame together. Values only: no page, no clock of its own.

const mostFrames = 240;
const mostTrail = 20;

/** The lines of a pipeline, by frame. */
export class FrameLines {
  constructor() {
    this.epoch = 0;
    this.frames = new Map(); // frame number -> Map(track key -> line)
    this.newest = new Map(); // detector -> newest processed frame number
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
        this.frame(seq);
        return true;
      case "detected":
      case "update":
      case "missing": {
        const name = key(line);
        this.frame(seq).set(name, line);
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
    this.live.clear();
    this.trails.clear();
  }

  frame(seq) {
    let lines = this.frames.get(seq);
    if (!lines) {
      lines = new Map();
      this.frames.set(seq, lines);
      if (this.frames.size > mostFrames) this.frames.delete(this.frames.keys().next().value);
    }
    return lines;
  }

  /** Whether every one of these detectors is done with a frame, or has left it out. */
  isComplete(seq, detectors) {
    return detectors.every((name) => (this.newest.get(name) ?? -1) >= seq);
  }

  /**
   * The lines to draw on a frame. A track without a line for just this frame keeps its line of at most 15 frames
   * before, marked as old.
   */
  lines(seq) {
    const shown = new Map();
    for (let number = Math.max(0, seq - 15); number <= seq; number += 1) {
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
