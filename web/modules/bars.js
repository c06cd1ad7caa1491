// SPDX-License-Identifier: Apache-2.0
// Bars that stand for hours or zones.
import { Chart, left, legend, right } from "./chart.js";
import { element, kindClass, svg } from "./dom.js";

export class Bars {
  constructor(name, empty) {
    this.chart = new Chart(name, empty);
    this.legend = element("div", {});
    this.view = element("div", {}, this.chart.view, this.legend);
  }

  /**
   * `bars`: of each bar its `parts` as [kind, value] from below, the `most` to which a line leads, its `tick` below and
   * its `text`. `kinds`: those of the legend.
   */
  draw(bars, kinds) {
    this.chart.draw((width) => {
      const step = (width - left - right) / bars.length;
      const wide = Math.min(step - 2, 40);
      const middle = (index) => left + (index + 0.5) * step;
      return {
        most: Math.max(...bars.map(({ parts, most = 0 }) => Math.max(most, parts.reduce((sum, [, value]) => sum + value, 0)))),
        shapes: (y) => bars.flatMap(({ parts, most }, index) => column(parts, most, middle(index), wide, y)),
        ticks: bars.flatMap(({ tick }, index) => (tick ? [[middle(index), tick]] : [])),
        places: bars.map(({ text }, index) => ({ x: middle(index), text })),
      };
    });
    this.legend.replaceChildren(legend(kinds.map((kind) => [kind, kindClass(kind, "fill")])));
  }
}

function column(parts, most, middle, wide, y) {
  let sum = 0;
  const shapes = parts.map(([kind, value]) => {
    const from = sum;
    sum += value;
    return svg("rect", { x: middle - wide / 2, y: y(sum), width: wide, height: Math.max(0, y(from) - y(sum)), class: kindClass(kind, "fill") });
  });
  if (most > sum) shapes.push(svg("line", { x1: middle, x2: middle, y1: y(sum), y2: y(most), class: "whisker" }));
  return shapes;
}
