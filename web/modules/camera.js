// SPDX-License-Identifier: Apache-2.0
// One pipeline: its picture, its live tracks, the time of each stage, and the tool that draws places.
import { element, kindLabel, Table } from "./dom.js";
import { Drawing } from "./draw.js";
import { subscribe } from "./events.js";
import { FrameLines, key, title } from "./frames.js";
import { PictureMode } from "./mode.js";
import { Stage } from "./stage.js";
import { watchStatus } from "./status.js";
import { WhyNot } from "./whynot.js";

const stageNames = ["decode", "wait", "detect", "track", "emit"];

export function camera(main, name) {
  const lines = new FrameLines();
  const drawing = new Drawing();
  const whyNot = new WhyNot(() => follow());
  // A phone asks for no more pixels than it has.
  const width = Math.ceil(Math.min(1280, window.innerWidth * window.devicePixelRatio));
  const after = (context) => {
    whyNot.draw(context);
    drawing.draw(context);
  };
  const stage = new Stage(name, { width, rate: 15, lines, after, prefersVideo: true });
  drawing.attach(stage.canvas, () => stage.draw());
  const tracks = new Table("Live tracks", ["Kind", "Track", "Frames"], { numbers: [2], empty: "nothing in view" });
  const stages = new Table("Stages in milliseconds", ["Detector", ...stageNames], { numbers: [1, 2, 3, 4, 5], empty: "no times yet" });
  const detectors = new Table("Detectors", ["Name", "Frames/s", "Median ms", "Dropped"], { numbers: [1, 2, 3], empty: "no detector runs" });
  const mode = new PictureMode(stage);
  main.append(
    element("h2", {}, name),
    element("div", { class: "camera" },
      element("section", { "aria-label": "Picture" }, stage.view, drawing.toolbar, mode.view, drawing.panel, whyNot.panel),
      element("section", { class: "panel", "aria-label": "Details" },
        element("h3", {}, "Live tracks"), tracks.view, element("h3", {}, "Stages"), stages.view, element("h3", {}, "Detectors"), detectors.view)));

  const times = new Map();
  let endEvents = () => {};
  const follow = () => {
    endEvents();
    endEvents = subscribe({ pipelines: name, frames: 1, stages: 1, explain: whyNot.isOn ? 1 : "" }, (line) => {
      if (line.stages_us) times.set(line.detector, line.stages_us);
      whyNot.take(line);
      // An explanation may come after its picture.
      if (line.type === "explain" && String(line.frame.seq) === stage.canvas.dataset.seq) stage.draw();
      if (lines.take(line)) stage.advance();
    });
  };
  drawing.toolbar.append(whyNot.button);
  follow();
  const show = () => {
    whyNot.show();
    const live = [...lines.live.values()].sort((left, right) => key(left).localeCompare(key(right), "en", { numeric: true }));
    tracks.show(live.map((line) => [
      kindLabel(line.kind), title(line).replace(`${line.kind} `, "") + (line.type === "missing" ? " (missing)" : ""),
      String(line.track?.age_frames ?? ""),
    ]));
    stages.show([...times].map(([detector, stage]) => [
      detector, ...stageNames.map((each) => (stage[each] === undefined ? "" : (stage[each] / 1000).toFixed(1))),
    ]));
    mode.show();
  };
  const endStatus = watchStatus((status) => {
    const each = status.pipelines.find((one) => one.name === name);
    detectors.show((each?.detectors ?? []).map((detector) => [
      detector.operational ? detector.name : `${detector.name}: ${detector.reason ?? "not operational"}`,
      String(detector.fps ?? ""), detector.latency_us ? (detector.latency_us.p50 / 1000).toFixed(1) : "",
      String((detector.dropped?.busy ?? 0) + (detector.dropped?.failed ?? 0)),
    ]));
  });
  const timer = setInterval(show, 500);
  show();
  return () => {
    clearInterval(timer);
    endEvents();
    endStatus();
    stage.close();
  };
}
