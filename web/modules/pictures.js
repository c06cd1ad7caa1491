// SPDX-License-Identifier: Apache-2.0
// The stream of pictures: records of a length, a JSON header and a JPEG.
import { address, read } from "./api.js";

/** Cuts bytes into records. Bytes arrive in pieces of any size. */
export class RecordCutter {
  constructor() {
    this.bytes = new Uint8Array(0);
  }

  append(more) {
    const joined = new Uint8Array(this.bytes.length + more.length);
    joined.set(this.bytes);
    joined.set(more, this.bytes.length);
    this.bytes = joined;
  }

  /** The next whole record; null until more bytes arrive. Throws for bytes that are no records. */
  next() {
    if (this.bytes.length < 4) return null;
    const length = new DataView(this.bytes.buffer, this.bytes.byteOffset).getUint32(0);
    if (length > 4096) throw new Error("the stream is broken");
    if (this.bytes.length < 4 + length) return null;
    const header = JSON.parse(new TextDecoder().decode(this.bytes.subarray(4, 4 + length)));
    const end = 4 + length + header.bytes;
    if (this.bytes.length < end) return null;
    const jpeg = this.bytes.slice(4 + length, end);
    this.bytes = this.bytes.slice(end);
    return { header, jpeg };
  }
}

/** Follows a pipeline's pictures until the returned function is called. */
export function follow(name, parameters, take, tell) {
  return stream(address(`/api/pipelines/${encodeURIComponent(name)}/stream`, parameters), take, tell);
}

/** Follows the pictures of several pipelines over one connection. The header of each record has the `pipeline`. */
export function followAll(names, parameters, take, tell) {
  return stream(address("/api/pictures", { pipelines: names.join(","), ...parameters }), take, tell);
}

/** `take` gets each record; `tell` gets a text when no pictures come, and "" when they do. */
function stream(path, take, tell) {
  const controller = new AbortController();
  const run = async () => {
    while (!controller.signal.aborted) {
      try {
        const response = await fetch(path, { signal: controller.signal });
        if (!response.ok) await read(response);
        const reader = response.body.getReader();
        const cutter = new RecordCutter();
        for (;;) {
          const { value, done } = await reader.read();
          if (done) break;
          cutter.append(value);
          for (let record = cutter.next(); record; record = cutter.next()) {
            tell("");
            take(record);
          }
        }
        tell("paused: the pictures have ended; trying again");
      } catch (problem) {
        if (controller.signal.aborted) return;
        tell(`paused: ${problem.message}`);
      }
      await new Promise((done) => setTimeout(done, 1000));
    }
  };
  run();
  return () => controller.abort();
}
