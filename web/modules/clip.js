// SPDX-License-Identifier: Apache-2.0
// Plays a clip with the boxes of each frame.
import { read } from "./api.js";
import { ClipLines } from "./cliplines.js";
import { element } from "./dom.js";
import { drawTracks } from "./overlay.js";

export class ClipPlayer {
  constructor(clip) {
    this.clip = clip;
    this.length = (Date.parse(clip.to) - Date.parse(clip.from)) / 1000;
    this.canvas = element("canvas", { role: "img", "aria-label": `Clip of ${clip.pipeline}`, width: 640, height: 360 });
    this.message = element("p", { class: "message", "aria-live": "polite" }, "loading the clip");
    this.button = element("button", { type: "button", class: "main", disabled: true, onclick: () => this.toggle() }, "Play");
    this.slider = element("input", {
      type: "range", min: "0", max: String(this.length), step: "0.05", value: "0", "aria-label": "Time in the clip",
      oninput: () => this.seek(Number(this.slider.value)),
    });
    this.time = element("span", { class: "soft" });
    this.view = element("div", {}, element("div", { class: "stage" }, this.canvas, this.message),
      element("div", { class: "bar" }, this.button, this.slider, this.time));
    this.video = document.createElement("video");
    this.video.muted = true;
    this.video.playsInline = true;
    this.load();
  }

  close() {
    this.isClosed = true;
    this.video.pause();
    if (this.video.src) URL.revokeObjectURL(this.video.src);
    this.video.removeAttribute("src");
  }

  async load() {
    const path = `/api/clips/${encodeURIComponent(this.clip.pipeline)}/${encodeURIComponent(this.clip.name)}`;
    try {
      const [video, events] = await Promise.all([fetch(`${path}.mp4`), fetch(`${path}.jsonl`)]);
      for (const answer of [video, events]) if (!answer.ok) await read(answer);
      this.lines = new ClipLines(await events.text(), this.clip.pts_ns);
      const content = await video.blob();
      if (this.isClosed) return;
      this.video.addEventListener("error", () => this.tell("this browser cannot play the clip"));
      for (const name of ["play", "pause", "ended"]) this.video.addEventListener(name, () => this.show());
      this.video.src = URL.createObjectURL(content);
      this.video.requestVideoFrameCallback((_, frame) => this.present(frame));
      this.button.disabled = false;
      this.tell("");
      await this.video.play().catch(() => {});
    } catch (problem) {
      this.tell(problem.message);
    }
  }

  tell(text) {
    if (this.message.textContent !== text) this.message.textContent = text;
  }

  toggle() {
    if (!this.video.paused) return this.video.pause();
    if (this.video.ended) this.video.currentTime = 0;
    this.video.play().catch((problem) => this.tell(problem.message));
  }

  seek(time) {
    this.video.currentTime = time;
  }

  show() {
    this.button.textContent = this.video.paused || this.video.ended ? "Play" : "Pause";
    this.time.textContent = `${this.video.currentTime.toFixed(1)} of ${this.length.toFixed(1)} s`;
    if (document.activeElement !== this.slider || !this.video.paused) this.slider.value = String(this.video.currentTime);
  }

  present({ mediaTime }) {
    if (this.isClosed) return;
    this.video.requestVideoFrameCallback((_, frame) => this.present(frame));
    const { canvas, video } = this;
    if (canvas.width !== video.videoWidth || canvas.height !== video.videoHeight) {
      canvas.width = video.videoWidth;
      canvas.height = video.videoHeight;
    }
    const context = canvas.getContext("2d");
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    const shown = this.lines.at(mediaTime);
    const width = shown[0]?.line.frame.width;
    if (width) drawTracks(context, shown, canvas.width / width, () => []);
    // For those who check the page: the frame that the picture shows.
    canvas.dataset.time = mediaTime;
    this.show();
  }
}
