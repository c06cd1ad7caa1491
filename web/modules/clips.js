// SPDX-License-Identifier: Apache-2.0
// The clips of a time and a pipeline, and a player for one of them.
import { address, get } from "./api.js";
import { ClipPlayer } from "./clip.js";
import { element, time } from "./dom.js";

const most = 50;

export class Clips {
  constructor() {
    this.told = element("p", { class: "note soft", role: "status" });
    this.place = element("div", { class: "clip" });
    this.list = element("ul", { class: "clip-list" });
    this.view = element("section", { "aria-label": "Clips" }, element("h3", {}, "Clips"), this.told, this.place, this.list);
  }

  close() {
    this.player?.close();
  }

  /** `parameters`: `since`, `until` and `pipeline`. Throws a Problem that may pass. */
  async search(parameters) {
    try {
      const { clips } = await get(address("/api/clips", { ...parameters, limit: most }));
      this.list.replaceChildren(...clips.map((clip) => this.entry(clip)));
      // A history without clips needs no words about them.
      this.view.hidden = clips.length === 0;
      this.told.textContent = clips.length === most ? `the newest ${most} clips` : `${clips.length} clips`;
    } catch (problem) {
      if (problem.isPassing) throw problem;
      this.list.replaceChildren();
      this.view.hidden = false;
      this.told.textContent = problem.message;
    }
  }

  entry(clip) {
    const length = ((Date.parse(clip.to) - Date.parse(clip.from)) / 1000).toFixed(1);
    const button = element("button", { type: "button", onclick: () => this.play(clip) }, `Play ${clip.pipeline}, ${time(clip.from)}`);
    return element("li", { class: "panel" }, button, element("p", { class: "soft" }, `${length} s, ${(clip.bytes / 1e6).toFixed(1)} MB`));
  }

  play(clip) {
    this.player?.close();
    this.player = new ClipPlayer(clip);
    this.place.replaceChildren(this.player.view);
    this.player.view.scrollIntoView({ block: "nearest" });
  }
}
