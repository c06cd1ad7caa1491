// SPDX-License-Identifier: Apache-2.0
// Reads from the pixels of the picture its own number and the box that is drawn on it. The box is the whole green one
// of a tracked barcode, or with `marks.isDashed` the red one of a detection that is not tracked. Only the name of the
// frame comes from the page: `data-seq` and `data-epoch` of the canvas.
const [count, limit, marks] = arguments;
const done = arguments[arguments.length - 1];

function middle(lines) {
  // The first and the last group of neighbouring lines, each by its middle.
  if (!lines.length) return null;
  let first = 0;
  while (lines[first + 1] === lines[first] + 1) first += 1;
  let last = lines.length - 1;
  while (last > 0 && lines[last - 1] === lines[last] - 1) last -= 1;
  return [(lines[0] + lines[first] + 1) / 2, (lines[last] + lines.at(-1) + 1) / 2];
}

function read(canvas) {
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  let number = 0;
  for (let bit = 0; bit < marks.bits; bit += 1) {
    const x = marks.left + (bit + 0.5) * marks.cell;
    const y = marks.top + 0.5 * marks.cell;
    if (data[4 * (Math.floor(y) * width + Math.floor(x))] > 128) number += 2 ** bit;
  }
  const hasInk = (x, y) => {
    const at = 4 * (y * width + x);
    const [red, green, blue] = [data[at], data[at + 1], data[at + 2]];
    return marks.isDashed ? red - green > 150 && red - blue > 150 : green - red > 150 && green - blue > 100;
  };
  // Lines with a run of ink that is a side of the box. A dashed box, a label and a trail have only shorter runs. A side
  // of a dashed box has ink on half of its length, a part of which a label covers. A row of a label has less ink.
  const sides = (across, along, at) => {
    const found = [];
    for (let line = 0; line < across; line += 1) {
      let [run, longest, sum] = [0, 0, 0];
      for (let place = 0; place < along; place += 1) {
        run = at(line, place) ? run + 1 : 0;
        sum += run > 0;
        longest = Math.max(longest, run);
      }
      if (marks.isDashed ? sum >= marks.side * 0.25 : longest >= marks.side * 0.9) found.push(line);
    }
    return found;
  };
  const [x, y] = [middle(sides(width, height, hasInk)), middle(sides(height, width, (row, column) => hasInk(column, row)))];
  return {
    seq: Number(canvas.dataset.seq), time: Number(canvas.dataset.time), epoch: Number(canvas.dataset.epoch), width, height, number,
    box: x && y ? [x[0], y[0], x[1], y[1]] : null,
  };
}

const found = [];
const end = performance.now() + limit;
let last = null;
(function look() {
  const canvas = document.querySelector("canvas");
  if (canvas?.dataset.time && canvas.dataset.time !== last) {
    last = canvas.dataset.time;
    found.push(read(canvas));
  }
  if (found.length >= count || performance.now() > end) done(found);
  else requestAnimationFrame(look);
})();
