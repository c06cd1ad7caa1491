// SPDX-License-Identifier: Apache-2.0
// The camera's own H.264 video by Media Source Extensions. Each presented frame becomes a picture with its time.
import { address, read } from "./api.js";
import { FragmentCutter } from "./fragments.js";

/** How far the shown frame is behind the newest, in seconds. The lines of a frame come in this time. */
const delay = 0.1;
/** Beyond this distance in seconds, playing goes on at the newest frame. */
const mostBehind = 1;
/** The seconds of shown video that stay in the browser's memory. */
const kept = 10;
/** After this time without a new frame, although data come, playing begins anew. In milliseconds. */
const stall = 5000;

export function canPlay() {
  return "MediaSource" in window && "requestVideoFrameCallback" in HTMLVideoElement.prototype;
}

/**
 * Follows a pipeline's video until the returned function is called.
 * `take` gets a header and a bitmap of each presented frame. `tell` is as for pictures. `giveUp` gets the reason why
 * there will be no video.
 */
export function followVideo(name, take, tell, giveUp) {
  const controller = new AbortController();
  const run = async () => {
    for (let failures = 0; !controller.signal.aborted;) {
      let player = null;
      try {
        const path = address(`/api/pipelines/${encodeURIComponent(name)}/stream`, { mode: "h264" });
        const response = await fetch(path, { signal: controller.signal });
        if (response.status === 409) return giveUp(await read(response).catch((problem) => problem.message));
        if (!response.ok) await read(response);
        const type = response.headers.get("Content-Type");
        if (!MediaSource.isTypeSupported(type)) return giveUp(`this browser cannot play ${type}`);
        player = new Player(type, Number(response.headers.get("X-Frame-Epoch")), (header, bitmap) => {
          failures = 0;
          tell("");
          take(header, bitmap);
        });
        await player.play(response.body.getReader());
        tell("paused: the video has ended; trying again");
      } catch (problem) {
        if (controller.signal.aborted) return;
        tell(`paused: ${problem.message}`);
        if (player) failures += 1;
        if (failures >= 3) return giveUp(`this browser cannot play the video: ${problem.message}`);
      } finally {
        player?.close();
      }
      await new Promise((done) => setTimeout(done, 1000));
    }
  };
  run().finally(() => controller.abort());
  return () => controller.abort();
}

class Player {
  constructor(type, epoch, take) {
    Object.assign(this, { type, epoch, take, times: [], isStarted: false, isClosed: false, lastFrame: performance.now() });
    this.video = document.createElement("video");
    this.video.muted = true;
    this.video.playsInline = true;
    this.source = new MediaSource();
    this.video.src = URL.createObjectURL(this.source);
    this.present = this.present.bind(this);
  }

  close() {
    this.isClosed = true;
    URL.revokeObjectURL(this.video.src);
    this.video.removeAttribute("src");
    this.video.load();
  }

  /** Plays until the body ends. Throws for a body that is no video, and where the browser fails. */
  async play(reader) {
    await event(this.source, "sourceopen");
    this.buffer = this.source.addSourceBuffer(this.type);
    this.video.requestVideoFrameCallback(this.present);
    const cutter = new FragmentCutter();
    for (;;) {
      const { value, done } = await reader.read();
      if (done || this.isClosed) return;
      cutter.append(value);
      const { bytes, times } = cutter.take();
      if (!bytes.length) continue;
      await this.change((buffer) => buffer.appendBuffer(bytes));
      this.times = this.times.concat(times).slice(-600);
      this.steer();
      const { buffered, currentTime } = this.video;
      if (buffered.length && currentTime - buffered.start(0) > 2 * kept) {
        await this.change((buffer) => buffer.remove(0, currentTime - kept));
      }
    }
  }

  async change(start) {
    const ended = event(this.buffer, "updateend");
    start(this.buffer);
    await ended;
    if (this.video.error) throw new Error(this.video.error.message || "the video cannot be decoded");
  }

  /** Keeps playing at a small distance from the newest frame. */
  steer() {
    const { video } = this;
    if (!this.times.length || document.hidden) {
      this.lastFrame = performance.now();
      return;
    }
    if (performance.now() - this.lastFrame > stall) throw new Error("the video stands still");
    const behind = this.times.at(-1) / 1e9 - video.currentTime;
    if (!this.isStarted || Math.abs(behind) > mostBehind) {
      const { buffered } = video;
      video.currentTime = Math.max(buffered.start(buffered.length - 1), this.times.at(-1) / 1e9 - delay);
      this.isStarted = true;
    } else {
      video.playbackRate = behind > delay + 0.1 ? 1.1 : behind < delay - 0.05 ? 0.95 : 1;
    }
    if (video.paused) video.play().catch(() => {});
  }

  /** The exact time of a frame in nanoseconds, for the browser's time in microseconds. */
  known(time) {
    return this.times.find((each) => Math.abs(each - time * 1000) < 2000);
  }

  async present(_, metadata) {
    if (this.isClosed) return;
    this.video.requestVideoFrameCallback(this.present);
    this.lastFrame = performance.now();
    if (this.video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    // A busy browser may show a newer frame by now than that of the metadata. Its own time is then the right one.
    // In a browser whose frames have no time of the video, the metadata count.
    const frame = "VideoFrame" in window ? new VideoFrame(this.video) : null;
    const known = this.known(frame?.timestamp) ?? this.known(metadata.mediaTime * 1e6);
    const bitmap = known === undefined ? null : await createImageBitmap(frame ?? this.video).catch(() => null);
    frame?.close();
    if (bitmap) this.take({ pts_ns: known, epoch: this.epoch }, bitmap);
  }
}

function event(target, name) {
  return new Promise((done) => target.addEventListener(name, done, { once: true }));
}
