// SPDX-License-Identifier: Apache-2.0
// Every pipeline with its picture, its state and its counts.
import { element, clock } from "./dom.js";
import { subscribe } from "./events.js";
import { FrameLines, title } from "./frames.js";
import { WallPictures } from "./wallpictures.js";
import { Stage } from "./stage.js";
import { stateSince, watchStatus } from "./status.js";

export function wall(main) {
  const cards = new Map();
  const pictures = new WallPictures();
  const grid = element("div", { class: "grid" });
  const empty = element("p", { class: "soft" }, "waiting for the list of pipelines");
  main.append(element("h2", {}, "Wall"), empty, grid);

  const endStatus = watchStatus((status) => {
    const names = status.pipelines.map((each) => each.name);
    empty.textContent = names.length ? "" : "there is no pipeline yet: add a file to the daemon's folder of pipelines";
    for (const [name, card] of cards) {
      if (names.includes(name)) continue;
      card.stage.close();
      card.view.remove();
      cards.delete(name);
    }
    for (const each of status.pipelines) {
      let card = cards.get(each.name);
      if (!card) {
        card = makeCard(each.name, pictures);
        cards.set(each.name, card);
        grid.append(card.view);
      }
      const tracks = `${each.tracks ?? 0} ${each.tracks === 1 ? "track" : "tracks"}`;
      // The picture's own message gives the reason for a missing picture.
      card.state.textContent = each.state === "connected" ? `connected, ${each.source?.fps ?? 0} frames/s, ${tracks}` : stateSince(each);
      card.state.className = `note ${each.state === "connected" || each.state === "idle" ? "good" : "bad"}`;
    }
  });
  const endEvents = subscribe({ frames: 1 }, (line) => {
    if (line.type === "state") {
      for (const [name, card] of cards) {
        card.lines.take({ ...line, tracks: (line.tracks ?? []).filter((track) => track.pipeline === name) });
      }
      return;
    }
    const card = cards.get(line.pipeline);
    if (!card) return;
    if (card.lines.take(line)) card.stage.advance();
    if (["detected", "completed"].includes(line.type)) card.last.textContent = `${clock(line.time)} ${line.type} ${title(line)}`;
  });
  return () => {
    endStatus();
    endEvents();
    for (const card of cards.values()) card.stage.close();
  };
}

function makeCard(name, pictures) {
  const lines = new FrameLines();
  const stage = new Stage(name, { width: 320, rate: 5, lines, source: pictures.source });
  const state = element("p", { class: "note" });
  const last = element("p", { class: "note soft" }, "no event yet");
  const view = element("article", { class: "panel" },
    element("h3", {}, element("a", { href: `#/camera/${encodeURIComponent(name)}` }, name)), stage.view, state, last);
  return { view, stage, state, last, lines };
}
