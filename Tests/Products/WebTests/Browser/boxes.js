// Looks at a camera's canvas for some seconds, and compares the boxes with the picture under them.
// Each symbol of the built-in scene is in the middle of a white card. So the distances from the box to the card's edges
// are equal on both sides, unless the box belongs to another frame: a card moves up to 11 pixels a frame.
const [seconds, done] = arguments;
const canvas = document.querySelector("canvas");
const ink = [0x00, 0xe0, 0x3c];
const result = { frames: 0, boxed: 0, boxes: 0, right: 0, worst: 0, ages: [] };
let last = "";

function find(context) {
  const { width, height } = context.canvas;
  const pixels = context.getImageData(0, 0, width, height).data;
  const isInk = (x, y) => {
    const at = 4 * (y * width + x);
    return ink.every((value, index) => Math.abs(pixels[at + index] - value) < 12);
  };
  const isWhite = (x, y) => {
    const at = 4 * (y * width + x);
    return pixels[at] > 215 && pixels[at + 1] > 215 && pixels[at + 2] > 215;
  };
  // Horizontal edges of boxes: runs of the colour of barcodes. Edges of a thick line share their ends.
  const edges = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!isInk(x, y)) continue;
      const begin = x;
      while (x < width && isInk(x, y)) x += 1;
      if (x - begin < 60) continue;
      const same = edges.find((edge) => Math.abs(edge.begin - begin) < 3 && Math.abs(edge.end - x) < 3 && y - edge.bottom < 3);
      if (same) same.bottom = y;
      else edges.push({ begin, end: x, top: y, bottom: y });
    }
  }
  const boxes = [];
  edges.forEach((top, index) => {
    const bottom = edges.slice(index + 1).find((edge) => Math.abs(edge.begin - top.begin) < 3 && Math.abs(edge.end - top.end) < 3);
    if (bottom) boxes.push({ left: top.begin, right: top.end - 1, top: top.top, bottom: bottom.bottom });
  });
  // The free edge of the card on each side of a box.
  const card = ({ left, right, top, bottom }) => {
    const y = Math.round((top + bottom) / 2);
    const x = Math.round((left + right) / 2);
    let [a, b, c, d] = [left - 2, right + 2, top - 2, bottom + 2];
    while (a > 0 && isWhite(a, y)) a -= 1;
    while (b < width - 1 && isWhite(b, y)) b += 1;
    while (c > 0 && isWhite(x, c)) c -= 1;
    while (d < height - 1 && isWhite(x, d)) d += 1;
    const isWhole = a > 0 && b < width - 1 && c > 0 && d < height - 1;
    return { sides: [left - a, b - right, top - c, d - bottom], isWhole };
  };
  return boxes.map((box) => ({ box, ...card(box) }));
}

function look() {
  const seq = `${canvas.dataset.epoch}:${canvas.dataset.seq}`;
  if (seq === last || !canvas.dataset.seq) return;
  last = seq;
  result.frames += 1;
  const found = find(canvas.getContext("2d"));
  let boxed = 0;
  for (const { sides, isWhole } of found) {
    // A label above the box or a neighbour may cover an edge of the card.
    if (!isWhole || sides[0] > 140 || sides[1] > 140 || sides[0] < 10 || sides[1] < 10) continue;
    boxed += 1;
    result.boxes += 1;
    const error = Math.abs(sides[0] - sides[1]) / 2;
    result.worst = Math.max(result.worst, error);
    if (error <= 3) result.right += 1;
    else (result.wrong ??= []).push({ seq, sides });
  }
  if (boxed) result.boxed += 1;
}

const timer = setInterval(look, 5);
setTimeout(() => {
  clearInterval(timer);
  done(result);
}, seconds * 1000);
