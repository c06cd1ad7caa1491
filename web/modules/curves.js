// SPDX-License-Identifier: Apache-2.0
// Curves over time: one for each detector.
import { Chart, left, legend, right } from "./chart.js";
import { element, kindClass, svg } from "./dom.js";

const dashes = ["", "6 3", "2 3", "9 3 2 3"];
const clock = (time) => new Date(time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

export class Curves {
  constructor(name, empty) {
    this.chart = new Chart(name, empty);
    this.legend = element("div", {});
    this.view = element("div", {}, this.chart.view, this.legend);
  }

  /** `series`: a name, a kind, and values with a time each. `words` makes the text of a value. */
  draw(series, words) {
    const shown = series.filter(({ values }) => values.length);
    const all = shown.flatMap(({ values }) => values);
    if (!all.length) return;
    const [start, end] = [Math.min(...all.map(({ time }) => time)), Math.max(...all.map(({ time }) => time))];
    const used = new Map();
    const strokes = shown.map(({ kind }) => {
      const count = used.get(kind) ?? 0;
      used.set(kind, count + 1);
      return dashes[count % dashes.length];
    });
    this.chart.draw((width) => {
      const x = (time) => left + ((time - start) / Math.max(1, end - start)) * (width - left - right);
      return {
        most: Math.max(...all.map(({ value }) => value)),
        shapes: (y) => shown.map(({ kind, values }, index) => svg("path", {
          d: values.map(({ time, value }, place) => `${place ? "L" : "M"}${x(time).toFixed(1)} ${y(value).toFixed(1)}`).join("") + (values.length === 1 ? "h0.1" : ""),
          class: kindClass(kind, "fill"), "stroke-dasharray": strokes[index],
        })),
        ticks: [[left, clock(start), "start"], [width - right, clock(end), "end"]],
        places: moments(shown).map(({ time, values }) => ({
          x: x(time), text: `${new Date(time).toLocaleTimeString()}: ${values.map(([name, value]) => `${name} ${words(value)}`).join(", ")}`,
        })),
      };
    });
    this.legend.replaceChildren(legend(shown.map(({ name, kind }, index) => [name, kindClass(kind, "fill"), strokes[index]])));
  }
}

/** The values of all series by time. Those of one status have almost one time. */
function moments(series) {
  const found = [];
  const all = series.flatMap(({ name, values }) => values.map(({ time, value }) => ({ name, time, value })));
  for (const { name, time, value } of all.sort((one, other) => one.time - other.time)) {
    if (!found.length || time - found.at(-1).time > 200) found.push({ time, values: [] });
    found.at(-1).values.push([name, value]);
  }
  return found;
}
