// One pipeline's live picture with its boxes, each on its own frame.
import { whileVisible } from "./attention.js";
import { element } from "./dom.js";
import { follow } from "./pictures.js";
import { drawPlaces, drawTracks } from "./overlay.js";
import { pipeline, stateText } from "./status.js";

/** How long a picture waits for the lines of its frame, in milliseconds. */
const patience = 250;
/** A picture older than this is not called live. */
const stale = 3000;

export class Stage {
  /** `lines`: FrameLines that somebody feeds, or null for a picture without boxes. */
  constructor(name, { width, rate, lines, after, source = follow }) {
    this.name = name;
    this.lines = lines;
    this.after = after;
    this.queue = [];
    this.message = element("p", { class: "message", "aria-live": "polite" });
    this.canvas = element("canvas", { role: "img", "aria-label": `Picture of ${name}`, width: 640, height: 360 });
    this.view = element("div", { class: "stage" }, this.canvas, this.message);
    this.picture = null;
    this.lastPicture = -Infinity;
    this.shownSequence = 0;
    this.reason = "waiting for a picture";
    this.end = whileVisible(() => source(name, { width, rate }, (record) => this.enqueue(record), (text) => (this.reason = text)));
    this.timer = setInterval(() => this.tell(), 500);
    this.tell();
  }

  close() {
    this.end();
    clearInterval(this.timer);
  }

  tell() {
    const state = stateText(pipeline(this.name));
    const isOld = performance.now() - this.lastPicture > stale;
    let text = "";
    if (isOld) text = state || this.reason || "paused: no new picture";
    if (isOld && this.picture && !text.startsWith("paused")) text = `paused: ${text}`;
    if (this.message.textContent !== text) this.message.textContent = text;
  }

  async enqueue(record) {
    const bitmap = await createImageBitmap(new Blob([record.jpeg], { type: "image/jpeg" })).catch(() => null);
    if (!bitmap) return;
    this.queue.push({ header: record.header, bitmap, time: performance.now() });
    while (this.queue.length > 8) this.queue.shift().bitmap.close();
    this.advance();
    setTimeout(() => this.advance(), patience + 5);
  }

  /** Shows the newest picture whose lines are complete, or that has waited long enough. */
  advance() {
    const names = (pipeline(this.name)?.detectors ?? []).filter((each) => each.operational).map((each) => each.name);
    let chosen = -1;
    this.queue.forEach((entry, index) => {
      const waited = performance.now() - entry.time >= patience;
      const isReady = !this.lines || (this.lines.epoch === entry.header.epoch && this.lines.isComplete(entry.header.seq, names));
      if (isReady || waited) chosen = index;
    });
    if (chosen < 0) return;
    const shown = this.queue.splice(0, chosen + 1);
    for (const entry of shown.slice(0, -1)) entry.bitmap.close();
    this.picture?.bitmap.close();
    this.picture = shown.at(-1);
    this.lastPicture = performance.now();
    this.draw();
    this.tell();
  }

  draw() {
    if (!this.picture) return;
    const { bitmap, header } = this.picture;
    const { canvas } = this;
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    drawPlaces(context, pipeline(this.name) ?? {});
    let count = 0;
    if (this.lines && this.lines.epoch === header.epoch) {
      const shown = this.lines.lines(header.seq);
      count = shown.length;
      const width = shown[0]?.line.frame?.width;
      if (width) drawTracks(context, shown, canvas.width / width, (line) => this.lines.trail(line, header.seq));
    }
    this.shownSequence = header.seq;
    // For those who check the page: the frame that the picture shows.
    canvas.dataset.seq = header.seq;
    canvas.dataset.epoch = header.epoch;
    const name = `Picture of ${this.name}${this.lines ? `, ${count} ${count === 1 ? "track" : "tracks"}` : ""}`;
    if (canvas.getAttribute("aria-label") !== name) canvas.setAttribute("aria-label", name);
    this.after?.(context, this);
  }
}
