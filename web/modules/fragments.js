// SPDX-License-Identifier: Apache-2.0
// Cuts fragmented MP4 (ISO/IEC 14496-12). Values only: no page.

const longest = 32 << 20;

/** Collects bytes, which arrive in pieces of any size, and gives whole boxes. */
export class FragmentCutter {
  constructor() {
    this.bytes = new Uint8Array(0);
  }

  append(more) {
    const joined = new Uint8Array(this.bytes.length + more.length);
    joined.set(this.bytes);
    joined.set(more, this.bytes.length);
    this.bytes = joined;
  }

  /** The whole boxes, and the decode times of their fragments in nanoseconds. Throws for bytes that are no boxes. */
  take() {
    const view = new DataView(this.bytes.buffer);
    const times = [];
    let end = 0;
    for (const [name, start, size] of boxes(view, 0, this.bytes.length)) {
      if (size < 8 || size > longest) throw new Error("the stream is broken");
      if (start + size > this.bytes.length) break;
      end = start + size;
      const time = name === "moof" ? decodeTime(view, start + 8, end) : null;
      if (time !== null) times.push(time);
    }
    const bytes = this.bytes.slice(0, end);
    this.bytes = this.bytes.slice(end);
    return { bytes, times };
  }
}

/** Name, start and size of each box whose first 8 bytes are there. */
function* boxes(view, start, end) {
  for (let place = start; place + 8 <= end;) {
    const size = view.getUint32(place);
    yield [String.fromCharCode(...[4, 5, 6, 7].map((each) => view.getUint8(place + each))), place, size];
    if (size < 8) return;
    place += size;
  }
}

function decodeTime(view, start, end) {
  for (const [name, place, size] of boxes(view, start, end)) {
    if (name === "traf") return decodeTime(view, place + 8, place + size);
    if (name !== "tfdt") continue;
    const isLong = view.getUint8(place + 8) === 1;
    return isLong ? view.getUint32(place + 12) * 2 ** 32 + view.getUint32(place + 16) : view.getUint32(place + 12);
  }
  return null;
}
