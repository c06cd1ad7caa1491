// SPDX-License-Identifier: Apache-2.0
// Shows the view that the address names.
import { element } from "./dom.js";
import "./samples.js";
import { poll, watchStatus } from "./status.js";
import { wall } from "./wall.js";

// Only the wall is loaded with the page, because a phone takes long for all views. index.html names its modules.
const views = {
  wall: () => wall,
  camera: async () => (await import("./camera.js")).camera,
  events: async () => (await import("./eventlist.js")).eventList,
  history: async () => (await import("./history.js")).history,
  charts: async () => (await import("./charts.js")).charts,
  health: async () => (await import("./health.js")).health,
};
const main = document.getElementById("main");
const nav = document.querySelector("nav");
let leave = null;
let shows = 0;

async function show() {
  leave?.();
  leave = null;
  main.replaceChildren();
  markPlace();
  const own = ++shows;
  const [, view = "wall", name] = location.hash.split("/");
  try {
    const isKnown = Object.hasOwn(views, view) && (view !== "camera" || name);
    const open = await (isKnown ? views[view] : views.wall)();
    if (own !== shows) return;
    leave = open(main, name && decodeURIComponent(name));
  } catch (problem) {
    if (own !== shows) return;
    main.replaceChildren(element("p", { class: "note bad" }, `the view could not be loaded; reload the page (${problem.message})`));
  }
  const heading = main.querySelector("h2")?.textContent;
  document.title = heading ? `${heading} · Glimpse` : "Glimpse";
}

function markPlace() {
  for (const link of nav.querySelectorAll("a")) {
    const isHere = link.getAttribute("href") === location.hash || (!location.hash && link.getAttribute("href") === "#/wall");
    if (isHere) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else link.removeAttribute("aria-current");
  }
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

window.addEventListener("hashchange", async () => {
  await show();
  main.focus({ preventScroll: true });
});
show();
poll();
