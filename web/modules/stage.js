// SPDX-License-Identifier: Apache-2.0
// One pipeline's live picture with its boxes, each on its own frame.
import { whileVisible } from "./attention.js";
import { element } from "./dom.js";
import { follow } from "./pictures.js";
import { drawPlaces, drawTracks } from "./overlay.js";
import { pipeline, stateText, watchStatus } from "./status.js";
import { canPlay, followVideo } from "./video.js";

/** How long a picture waits for the lines of its frame, in milliseconds. */
const patience = 250;
/** A picture older than this is not called live. */
const stale = 3000;
/** The pictures that wait. Beyond, the oldest is shown without its lines. */
const mostWaiting = 8;

export class Stage {
  /**
   * `lines`: FrameLines that somebody feeds, or null for a picture without boxes. `prefersVideo`: whether to show the
   * camera's own video where it can be had. `source`: gives JPEG pictures.
   */
  constructor(name, { width, rate, lines, after, prefersVideo = false, source = follow }) {
    Object.assign(this, { name, width, rate, lines, after, source });
    this.queue = [];
    this.message = element("p", { class: "message", "aria-live": "polite" });
    this.canvas = element("canvas", { role: "img", "aria-label": `Picture of ${name}`, width: 640, height: 360 });
    this.view = element("div", { class: "stage" }, this.canvas, this.message);
    this.picture = null;
    this.lastPicture = -Infinity;
    this.shownSequence = 0;
    this.reason = "waiting for a picture";
    this.prefersVideo = prefersVideo;
    this.end = whileVisible(() => {
      this.show(this.prefersVideo);
      return () => this.endStream();
    });
    this.timer = setInterval(() => this.tell(), 500);
    this.tell();
  }

  close() {
    this.end();
    clearInterval(this.timer);
  }

  /** Shows the camera's own video where it can be had, or JPEG pictures; also when a hidden tab is seen again. */
  choose(prefersVideo) {
    this.prefersVideo = prefersVideo;
    this.show(prefersVideo);
  }

  show(isVideo) {
    this.endStream?.();
    const withheld = pipeline(this.name)?.video_withheld ?? (canPlay() ? null : "this browser cannot play it");
    this.whyNoVideo = isVideo ? withheld : null;
    this.isVideo = isVideo && !withheld;
    if (this.isVideo && !pipeline(this.name)) {
      this.endStream = watchStatus(() => pipeline(this.name) && this.show(true));
      return;
    }
    const tell = (text) => (this.reason = text);
    if (this.isVideo) {
      this.endStream = followVideo(this.name, (header, bitmap) => this.enqueue(header, bitmap), tell, (reason) => {
        this.show(false);
        this.whyNoVideo = reason;
      });
    } else {
      this.endStream = this.source(this.name, { width: this.width, rate: this.rate }, (record) => this.decode(record), tell);
    }
  }

  tell() {
    const state = stateText(pipeline(this.name));
    const isOld = performance.now() - this.lastPicture > stale;
    let text = "";
    if (isOld) text = state || this.reason || "paused: no new picture";
    if (isOld && this.picture && !text.startsWith("paused")) text = `paused: ${text}`;
    if (this.message.textContent !== text) this.message.textContent = text;
  }

  async decode(record) {
    const bitmap = await createImageBitmap(new Blob([record.jpeg], { type: "image/jpeg" })).catch(() => null);
    if (bitmap && !this.isVideo) this.enqueue(record.header, bitmap);
  }

  enqueue(header, bitmap) {
    this.queue.push({ header, bitmap, time: performance.now() });
    this.advance();
    setTimeout(() => this.advance(), patience + 5);
  }

  /** Whether every detector is done with the frame of a picture, or will not look at it. */
  isReady(header) {
    const { detectors = [], state } = pipeline(this.name) ?? {};
    // A camera at rest decodes only key frames.
    if (!this.lines || (this.isVideo && state === "idle")) return true;
    if (this.lines.epoch !== header.epoch) return false;
    const number = header.seq ?? this.lines.numberAt(header.pts_ns);
    const names = detectors.filter((each) => each.operational).map((each) => each.name);
    return number !== null && this.lines.isComplete(number, names);
  }

  /** Shows the newest picture whose lines are complete, or that has waited long enough. The first waits for nothing. */
  advance() {
    let chosen = -1;
    this.queue.forEach((entry, index) => {
      const waited = performance.now() - entry.time >= patience || index < this.queue.length - mostWaiting;
      if (waited || !this.picture || this.isReady(entry.header)) chosen = index;
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
    const number = header.seq ?? this.lines?.numberAt(header.pts_ns) ?? this.lines?.numberBefore(header.pts_ns) ?? 0;
    let count = 0;
    if (this.lines && this.lines.epoch === header.epoch) {
      const shown = this.lines.lines(number);
      count = shown.length;
      const width = shown[0]?.line.frame?.width;
      if (width) drawTracks(context, shown, canvas.width / width, (line) => this.lines.trail(line, number));
    }
    this.shownSequence = Math.floor(number);
    // For those who check the page: the frame that the picture shows.
    canvas.dataset.seq = number;
    canvas.dataset.time = header.pts_ns;
    canvas.dataset.epoch = header.epoch;
    const name = `Picture of ${this.name}${this.lines ? `, ${count} ${count === 1 ? "track" : "tracks"}` : ""}`;
    if (canvas.getAttribute("aria-label") !== name) canvas.setAttribute("aria-label", name);
    this.after?.(context, this);
  }
}
