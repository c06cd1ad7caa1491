// SPDX-License-Identifier: Apache-2.0
// Draws tracks and places on a picture.
import { title } from "./frames.js";

// Saturated colours that stand out from a picture, in either theme.
export const colours = { face: "#ff1e6e", barcode: "#00e03c", object: "#2f7bff", scene: "#ffb000" };
const other = "#d400ff";

export function colour(kind) {
  return colours[kind] ?? other;
}

/** Pixels of the canvas for one pixel of the screen, so that lines and labels are as large on a phone. */
export function unit(canvas) {
  return Math.max(1, canvas.width / (canvas.clientWidth || canvas.width));
}

/** `shown`: of FrameLines.lines. `scale`: pixels of the canvas for one pixel of the frame. */
export function drawTracks(context, shown, scale, trailOf) {
  const pixel = unit(context.canvas);
  for (const { line, isOld } of shown) {
    if (!line.box) continue;
    const ink = colour(line.kind);
    const box = { x: line.box.x * scale, y: line.box.y * scale, w: line.box.w * scale, h: line.box.h * scale };
    context.lineWidth = Math.round(2 * pixel);
    context.strokeStyle = ink;
    context.setLineDash(line.type === "missing" || line.predicted || isOld ? [8 * pixel, 6 * pixel] : []);
    context.strokeRect(box.x, box.y, box.w, box.h);
    if (line.corners) polygon(context, line.corners.map((corner) => [corner.x * scale, corner.y * scale]), ink, null);
    context.setLineDash([]);
    drawLandmarks(context, line, scale, ink, 2.5 * pixel);
    const trail = trailOf(line);
    if (trail.length > 1) {
      context.beginPath();
      trail.forEach((point, index) => (index ? context.lineTo(point.x * scale, point.y * scale) : context.moveTo(point.x * scale, point.y * scale)));
      context.globalAlpha = 0.6;
      context.stroke();
      context.globalAlpha = 1;
    }
    label(context, title(line), box.x, box.y, ink);
  }
}

function drawLandmarks(context, line, scale, ink, radius) {
  const landmarks = line.face?.landmarks;
  if (!landmarks) return;
  const points = Array.isArray(landmarks) ? landmarks : Object.values(landmarks);
  context.fillStyle = ink;
  for (const point of points) {
    const place = point.point ?? point;
    if (typeof place.x !== "number") continue;
    context.beginPath();
    context.arc(place.x * scale, place.y * scale, radius, 0, 2 * Math.PI);
    context.fill();
  }
}

/** Zones, lines and masks of a pipeline; their coordinates are 0 to 1. */
export function drawPlaces(context, places) {
  const { width, height } = context.canvas;
  // A small picture of the wall has no room for names.
  const name = width < 480 ? () => {} : label;
  const at = ([x, y]) => [x * width, y * height];
  for (const zone of places.zones ?? []) {
    polygon(context, zone.polygon.map(at), "#00d5ff", "#00d5ff22");
    name(context, `zone ${zone.name}`, ...at(zone.polygon[0]), "#00d5ff");
  }
  for (const mask of places.masks ?? []) {
    polygon(context, mask.polygon.map(at), "#bbbbbb", null);
    name(context, `mask ${mask.name}`, ...at(mask.polygon[0]), "#bbbbbb");
  }
  for (const line of places.lines ?? []) {
    arrow(context, at(line.from), at(line.to), "#ffe600");
    name(context, `line ${line.name}`, ...at(line.from), "#ffe600");
  }
}

export function polygon(context, points, ink, fill) {
  if (!points.length) return;
  context.beginPath();
  points.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
  context.lineWidth = Math.round(2 * unit(context.canvas));
  context.strokeStyle = ink;
  context.stroke();
  if (fill) {
    context.fillStyle = fill;
    context.fill();
  }
}

/** A line with a mark on its right side, which is the side of "in". */
export function arrow(context, [x1, y1], [x2, y2], ink) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const [nx, ny] = [-(y2 - y1) / length, (x2 - x1) / length];
  const pixel = unit(context.canvas);
  context.moveTo(mx, my);
  context.lineTo(mx + nx * 24 * pixel, my + ny * 24 * pixel);
  context.lineWidth = 3 * pixel;
  context.strokeStyle = ink;
  context.stroke();
}

export function label(context, text, x, y, ink) {
  const size = Math.round(Math.max(context.canvas.width / 60, 11 * unit(context.canvas)));
  context.font = `600 ${size}px system-ui, sans-serif`;
  // A long text would hide the picture.
  const most = Math.min(40, Math.floor(context.canvas.width / size));
  const shown = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  const width = context.measureText(shown).width + 8;
  const top = y - size - 6 >= 0 ? y - size - 6 : y;
  const left = Math.max(0, Math.min(x, context.canvas.width - width));
  context.fillStyle = "#000c";
  context.fillRect(left, top, width, size + 6);
  context.fillStyle = ink;
  context.fillText(shown, left + 4, top + size);
}
