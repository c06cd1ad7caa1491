// SPDX-License-Identifier: Apache-2.0
// A chart as small SVG. The pointer or the arrow keys choose a place, and its numbers stand below.
import { element, svg } from "./dom.js";

export const [left, right] = [40, 6];
const [height, top, bottom] = [200, 12, 24];

/**
 * Draws shapes over a scale from 0 to a round number. One unit is one pixel of the screen, so that texts have their own
 * size. The element stays in its place, so that it keeps the focus.
 */
export class Chart {
  /** `empty` is the text before there are numbers. */
  constructor(name, empty) {
    this.width = 400;
    this.plan = null;
    this.places = [];
    this.chosen = -1;
    this.marker = svg("line", { class: "marker", y1: top, y2: height - bottom });
    this.drawing = svg("svg", { class: "chart", role: "img", tabindex: "0", "aria-label": name, height });
    this.readout = element("p", { class: "note readout", role: "status" });
    this.empty = element("p", { class: "soft" }, empty);
    this.figure = element("div", { hidden: true }, this.drawing, this.readout);
    this.view = element("div", {}, this.empty, this.figure);
    new ResizeObserver(() => this.fit()).observe(this.figure);
    this.drawing.addEventListener("pointermove", (event) => this.point(event));
    this.drawing.addEventListener("pointerdown", (event) => this.point(event));
    this.drawing.addEventListener("pointerleave", () => this.choose(-1));
    this.drawing.addEventListener("blur", () => this.choose(-1));
    this.drawing.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step || !this.places.length) return;
      event.preventDefault();
      const next = this.chosen < 0 && step < 0 ? this.places.length - 1 : this.chosen + step;
      this.choose(Math.min(this.places.length - 1, Math.max(0, next)));
    });
  }

  say(text) {
    this.empty.textContent = text;
    this.empty.hidden = false;
    this.figure.hidden = true;
  }

  fit() {
    const width = this.figure.clientWidth;
    if (!width || width === this.width) return;
    this.width = width;
    if (this.plan) this.render();
  }

  /**
   * `plan` makes the parts from the width. `most`: the largest value. `shapes` makes shapes with a function from values
   * to y. `ticks`: [x, text] below the chart. `places`: the x of each place that can be chosen, ascending, and the
   * numbers of the place as text.
   */
  draw(plan) {
    this.plan = plan;
    this.empty.hidden = true;
    this.figure.hidden = false;
    this.width = this.figure.clientWidth || this.width;
    this.render();
  }

  render() {
    const { width } = this;
    const { most, shapes, ticks, places } = this.plan(width);
    const scale = roundUp(most);
    const y = (value) => height - bottom - (value / scale) * (height - bottom - top);
    const lines = [0, scale / 2, scale].flatMap((value) => [
      svg("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: value ? "grid-line" : "axis" }),
      svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, short(value)),
    ]);
    const texts = ticks.map(([x, text, anchor = "middle"]) => svg("text", { x, y: height - 6, "text-anchor": anchor }, text));
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.drawing.replaceChildren(...lines, ...shapes(y), ...texts, this.marker);
    this.places = places;
    this.choose(Math.min(this.chosen, places.length - 1));
  }

  point(event) {
    const area = this.drawing.getBoundingClientRect();
    const x = event.clientX - area.left;
    let nearest = -1;
    this.places.forEach((place, index) => {
      if (nearest < 0 || Math.abs(place.x - x) < Math.abs(this.places[nearest].x - x)) nearest = index;
    });
    this.choose(nearest);
  }

  choose(index) {
    this.chosen = index;
    const place = this.places[index];
    this.marker.setAttribute("visibility", place ? "visible" : "hidden");
    if (place) for (const end of ["x1", "x2"]) this.marker.setAttribute(end, place.x);
    const text = place?.text ?? "";
    if (this.readout.textContent !== text) this.readout.textContent = text;
  }
}

/** The next of 1, 2, 5, 10, 20, and so on. */
export function roundUp(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= value * 0.999999);
}

export function short(value) {
  return String(Math.round(value * 100) / 100);
}

/** The names of series with the strokes that they have in a chart. `entries`: [name, class, dash]. */
export function legend(entries) {
  return element("p", { class: "legend" }, ...entries.map(([name, kind, dash]) => {
    const stroke = svg("svg", { viewBox: "0 0 22 10", width: 22, height: 10, "aria-hidden": "true" },
      svg("path", { d: "M1 5H21", class: kind, "stroke-dasharray": dash ?? "", "stroke-width": dash === undefined ? 8 : 2.5 }));
    return element("span", {}, stroke, ` ${name}`);
  }));
}

/** A button that saves the rows of that moment as comma-separated values (RFC 4180). */
export function save(name, heads, rows) {
  return element("button", {
    type: "button",
    onclick: () => {
      const link = element("a", { download: name, href: URL.createObjectURL(new Blob([csv([heads, ...rows()])], { type: "text/csv" })) });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    },
  }, `Save ${name}`);
}

export function csv(rows) {
  const cell = (value) => {
    const text = String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
