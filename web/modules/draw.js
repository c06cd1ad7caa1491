// SPDX-License-Identifier: Apache-2.0
// Draws zones, lines, masks and regions on the picture and writes their TOML. The page changes no file.
import { element } from "./dom.js";
import { arrow, polygon, unit } from "./overlay.js";

const shapes = {
  zone: { text: "Zone", least: 3, toml: (name, points) => `[[zone]]\nname = "${name}"\npolygon = ${list(points)}\n` },
  line: {
    text: "Line", least: 2, most: 2,
    toml: (name, points) => `[[line]]\nname = "${name}"\nfrom = ${pair(points[0])}\nto = ${pair(points[1])}\n`,
  },
  mask: { text: "Mask", least: 3, toml: (name, points) => `[[mask]]\nname = "${name}"\npolygon = ${list(points)}\n` },
  region: {
    text: "Region of interest", least: 2, most: 2,
    toml: (name, points) => {
      const [left, right] = [points[0][0], points[1][0]].sort((a, b) => a - b);
      const [top, bottom] = [points[0][1], points[1][1]].sort((a, b) => a - b);
      return `# in the table of a detector\nroi = [${[left, top, right - left, bottom - top].map(short).join(", ")}]\n`;
    },
  },
};

export function short(number) {
  return String(Math.round(number * 1000) / 1000);
}

function pair([x, y]) {
  return `[${short(x)}, ${short(y)}]`;
}

function list(points) {
  return `[${points.map(pair).join(", ")}]`;
}

/** The TOML of a shape; empty while points are missing. */
export function toml(shape, name, points) {
  if (points.length < shapes[shape].least) return "";
  return shapes[shape].toml(name.replace(/["\\\p{Cc}]/gu, "_"), points);
}

export class Drawing {
  constructor() {
    this.isOn = false;
    this.points = [];
    this.cursor = [0.5, 0.5];
    this.hasKeys = false;
    this.button = element("button", { type: "button", "aria-pressed": "false", onclick: () => this.toggle() }, "Draw");
    this.shape = element("select", { onchange: () => this.clear() },
      ...Object.entries(shapes).map(([value, { text }]) => element("option", { value }, text)));
    this.name = element("input", { value: "door", maxlength: 64, oninput: () => this.write() });
    this.text = element("textarea", { readonly: true });
    this.told = element("span", { role: "status", class: "soft" });
    this.toolbar = element("div", { class: "bar" }, this.button);
    this.panel = element("section", { class: "panel", hidden: true, "aria-label": "Drawing" },
      element("p", { class: "note" }, "Click points on the picture. By keyboard: focus the picture, arrows move the cross (Shift: farther), Enter sets a point, Backspace takes the last one back."),
      element("div", { class: "bar" },
        element("label", {}, "Shape", this.shape), element("label", {}, "Name", this.name),
        element("button", { type: "button", onclick: () => this.clear() }, "Clear"),
        element("button", { type: "button", class: "main", onclick: () => this.copy() }, "Copy"), this.told),
      element("label", {}, "Text for the pipeline's file", this.text));
  }

  attach(canvas, redraw) {
    this.canvas = canvas;
    this.redraw = redraw;
    canvas.addEventListener("click", (event) => {
      if (!this.isOn) return;
      const area = canvas.getBoundingClientRect();
      this.add([(event.clientX - area.left) / area.width, (event.clientY - area.top) / area.height]);
    });
    canvas.addEventListener("keydown", (event) => this.press(event));
  }

  toggle() {
    this.isOn = !this.isOn;
    this.button.setAttribute("aria-pressed", String(this.isOn));
    this.panel.hidden = !this.isOn;
    if (this.isOn) this.canvas.tabIndex = 0;
    else this.canvas.removeAttribute("tabindex");
    this.clear();
  }

  press(event) {
    if (!this.isOn) return;
    const step = event.shiftKey ? 0.05 : 0.01;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (moves[event.key]) {
      this.hasKeys = true;
      this.cursor = this.cursor.map((value, index) => Math.min(1, Math.max(0, value + moves[event.key][index])));
    } else if (event.key === "Enter" || event.key === " ") {
      this.add([...this.cursor]);
    } else if (event.key === "Backspace") {
      this.points.pop();
      this.write();
    } else return;
    event.preventDefault();
    this.redraw();
  }

  add(point) {
    const { most } = shapes[this.shape.value];
    if (most && this.points.length >= most) this.points = [];
    this.points.push(point.map((value) => Math.min(1, Math.max(0, value))));
    this.write();
    this.redraw();
  }

  clear() {
    this.points = [];
    this.write();
    this.redraw?.();
  }

  write() {
    this.text.value = toml(this.shape.value, this.name.value, this.points);
    this.told.textContent = "";
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.text.value);
      this.told.textContent = "copied";
    } catch {
      this.text.select();
      this.told.textContent = "selected: press Ctrl+C";
    }
  }

  draw(context) {
    if (!this.isOn) return;
    const { width, height } = context.canvas;
    const points = this.points.map(([x, y]) => [x * width, y * height]);
    const ink = "#ff9100";
    const pixel = unit(context.canvas);
    if (this.shape.value === "line" && points.length === 2) arrow(context, ...points, ink);
    else if (this.shape.value === "region" && points.length === 2) {
      context.strokeStyle = ink;
      context.lineWidth = 3 * pixel;
      context.strokeRect(points[0][0], points[0][1], points[1][0] - points[0][0], points[1][1] - points[0][1]);
    } else if (points.length > 2) polygon(context, points, ink, "#ff910033");
    context.fillStyle = ink;
    for (const [x, y] of points) context.fillRect(x - 4 * pixel, y - 4 * pixel, 8 * pixel, 8 * pixel);
    if (!this.hasKeys) return;
    const [x, y] = [this.cursor[0] * width, this.cursor[1] * height];
    context.strokeStyle = ink;
    context.lineWidth = 2 * pixel;
    context.beginPath();
    context.moveTo(x - 14 * pixel, y);
    context.lineTo(x + 14 * pixel, y);
    context.moveTo(x, y - 14 * pixel);
    context.lineTo(x, y + 14 * pixel);
    context.stroke();
  }
}
