// SPDX-License-Identifier: Apache-2.0
// Shows the view that the address names.
import { camera } from "./camera.js";
import { charts } from "./charts.js";
import { element } from "./dom.js";
import { eventList } from "./eventlist.js";
import { health } from "./health.js";
import { history } from "./history.js";
import "./samples.js";
import { poll, watchStatus } from "./status.js";
import { wall } from "./wall.js";

const views = { wall, events: eventList, history, charts, health };
const main = document.getElementById("main");
const nav = document.querySelector("nav");
let leave = null;

function show() {
  leave?.();
  main.replaceChildren();
  const [, view = "wall", name] = location.hash.split("/");
  if (view === "camera" && name) leave = camera(main, decodeURIComponent(name));
  else leave = (views[view] ?? wall)(main);
  for (const link of nav.querySelectorAll("a")) {
    const isHere = link.getAttribute("href") === location.hash || (!location.hash && link.getAttribute("href") === "#/wall");
    if (isHere) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else link.removeAttribute("aria-current");
  }
  const heading = main.querySelector("h2")?.textContent;
  document.title = heading ? `${heading} · Glimpse` : "Glimpse";
}

// Each pipeline has a link of its own beside the views.
const known = new Map();
watchStatus((status) => {
  for (const { name } of status.pipelines) {
    if (known.has(name)) continue;
    const link = element("a", { href: `#/camera/${encodeURIComponent(name)}` }, name);
    known.set(name, link);
    nav.append(link);
    if (location.hash === link.getAttribute("href")) link.setAttribute("aria-current", "page");
  }
  for (const [name, link] of known) {
    if (status.pipelines.some((each) => each.name === name)) continue;
    link.remove();
    known.delete(name);
  }
});

window.addEventListener("hashchange", () => {
  show();
  main.focus({ preventScroll: true });
});
show();
poll();
