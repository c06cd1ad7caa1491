// SPDX-License-Identifier: Apache-2.0
// Says whether the camera's own video or JPEG pictures are shown, and switches between them.
import { element } from "./dom.js";
import { pipeline } from "./status.js";

export class PictureMode {
  constructor(stage) {
    this.stage = stage;
    this.text = element("span", {});
    this.button = element("button", { type: "button", onclick: () => this.change() });
    this.view = element("p", { class: "note soft mode" }, this.button, this.text);
    this.show();
  }

  change() {
    this.stage.choose(!this.stage.isVideo);
    this.show();
  }

  show() {
    const { isVideo, whyNoVideo, shownSequence, name } = this.stage;
    const rate = pipeline(name)?.source?.fps;
    const mode = isVideo ? "video mode: the camera's own video" : "picture mode: JPEG pictures";
    const parts = [mode, `frame ${shownSequence}`, rate ? `camera ${rate} frames/s` : "", whyNoVideo ? `no video: ${whyNoVideo}` : ""];
    const [text, label] = [parts.filter(Boolean).join(", "), isVideo ? "Show pictures" : "Show video"];
    // Settings that forbid video leave nothing to choose.
    this.button.hidden = !isVideo && Boolean(pipeline(name)?.video_withheld);
    if (this.text.textContent !== text) this.text.textContent = text;
    if (this.button.textContent !== label) this.button.textContent = label;
  }
}
