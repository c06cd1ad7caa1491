// Charts as small SVG, each with its numbers as a file.
import { address, get } from "./api.js";
import { element, kindClass, svg, Table } from "./dom.js";
import { watchStatus } from "./status.js";

// Near to the size on the screen, so that texts have their own size.
const [width, height, left, bottom] = [400, 200, 36, 24];

export function charts(main) {
  const hours = element("section", { class: "panel", "aria-label": "Tracks per hour" });
  const times = element("section", { class: "panel", "aria-label": "Processing time" });
  const crossings = element("section", { class: "panel", "aria-label": "Crossings and zones" });
  main.append(element("h2", {}, "Charts"), element("div", { class: "grid" }, hours, times, crossings));
  tracksPerHour(hours);
  const showTimes = timesPanel(times);
  const showCounts = countsPanel(crossings);
  showCounts();
  const timer = setInterval(showCounts, 10000);

  const samples = new Map();
  const endStatus = watchStatus((status) => {
    for (const { name, detectors } of status.pipelines) {
      for (const detector of detectors ?? []) {
        if (!detector.latency_us) continue;
        const key = `${name} ${detector.name}`;
        const list = samples.get(key) ?? { kind: detector.kind, values: [] };
        list.values.push({ time: Date.now(), value: detector.latency_us.p50 / 1000, dropped: detector.dropped?.busy ?? 0 });
        if (list.values.length > 150) list.values.shift();
        samples.set(key, list);
      }
    }
    showTimes(samples);
  });
  return () => {
    clearInterval(timer);
    endStatus();
  };
}

async function tracksPerHour(panel) {
  panel.replaceChildren(element("h3", {}, "Tracks per hour"), element("p", { class: "soft" }, "loading"));
  try {
    const since = new Date(Date.now() - 24 * 3600e3).toISOString();
    const { entries } = await get(address("/api/history", { since, limit: 1000 }));
    const counts = countHours(entries.filter((entry) => entry.type === "track"), Date.now());
    const rows = counts.flatMap(({ hour, kinds }) => Object.entries(kinds).map(([kind, count]) => [hour.toISOString(), kind, count]));
    panel.replaceChildren(element("h3", {}, "Tracks per hour"), bars(counts),
      legend([...new Set(rows.map((row) => row[1]))]), save("tracks-per-hour.csv", ["hour", "kind", "tracks"], () => rows));
    if (entries.length === 1000) panel.append(element("p", { class: "note soft" }, "the newest 1,000 tracks"));
  } catch (problem) {
    panel.replaceChildren(element("h3", {}, "Tracks per hour"), element("p", { class: "soft" }, problem.message));
  }
}

/** The last 24 hours, oldest first, with the number of tracks of each kind. */
export function countHours(entries, now) {
  const first = Math.floor(now / 3600e3) - 23;
  const hours = Array.from({ length: 24 }, (_, index) => ({ hour: new Date((first + index) * 3600e3), kinds: {} }));
  for (const entry of entries) {
    const index = Math.floor(new Date(entry.first_seen).getTime() / 3600e3) - first;
    if (hours[index]) hours[index].kinds[entry.kind] = (hours[index].kinds[entry.kind] ?? 0) + 1;
  }
  return hours;
}

function bars(counts) {
  const sum = (kinds) => Object.values(kinds).reduce((total, count) => total + count, 0);
  const most = Math.max(1, ...counts.map(({ kinds }) => sum(kinds)));
  const chart = frame(`Tracks per hour, at most ${most}`, most);
  const step = (width - left) / counts.length;
  counts.forEach(({ hour, kinds }, index) => {
    let y = height - bottom;
    const x = left + index * step + 1;
    for (const [kind, count] of Object.entries(kinds)) {
      const tall = (count / most) * (height - bottom - 10);
      y -= tall;
      const bar = svg("rect", { x, y, width: step - 2, height: tall, class: kindClass(kind, "fill") });
      bar.append(svg("title", {}, `${hour.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}: ${count} ${kind}`));
      chart.append(bar);
    }
    if (index % 6 === 0) chart.append(svg("text", { x, y: height - 6 }, hour.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })));
  });
  return chart;
}

/** Returns the function that draws the samples of each detector. */
function timesPanel(panel) {
  const chart = element("div", {});
  const now = new Table("Processing time now", ["Detector", "Median ms", "Dropped"], { numbers: [1, 2], empty: "no detector has run yet" });
  let rows = [];
  panel.append(element("h3", {}, "Processing time"), chart, now.view,
    save("processing-time.csv", ["time", "detector", "median_ms", "dropped"], () => rows));
  return (samples) => {
    rows = [...samples].flatMap(([name, { values }]) => values.map(({ time, value, dropped }) => [new Date(time).toISOString(), name, value, dropped]));
    if (rows.length) chart.replaceChildren(curves(samples));
    now.show([...samples].map(([name, { values }]) => [name, values.at(-1).value.toFixed(1), String(values.at(-1).dropped)]));
  };
}

function curves(samples) {
  const all = [...samples.values()].flatMap(({ values }) => values);
  const most = Math.max(1, ...all.map(({ value }) => value));
  const chart = frame(`Median time from a frame to its events in milliseconds, at most ${most.toFixed(1)}`, most.toFixed(1));
  const [start, end] = [Math.min(...all.map(({ time }) => time)), Math.max(...all.map(({ time }) => time)) + 1];
  for (const [name, { kind, values }] of samples) {
    const points = values.map(({ time, value }) => [left + ((time - start) / (end - start)) * (width - left), height - bottom - (value / most) * (height - bottom - 10)]);
    const path = svg("path", { d: points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""), class: kindClass(kind, "fill") });
    chart.append(path, ...points.map(([cx, cy], index) => svg("circle", { cx, cy, r: 6 }, svg("title", {}, numbers(name, values[index])))));
  }
  return chart;
}

function numbers(name, { time, value, dropped }) {
  return `${new Date(time).toLocaleTimeString()} ${name}: ${value.toFixed(1)} ms, ${dropped} dropped`;
}

/** Returns the function that asks for the counts of lines and zones and shows them. */
function countsPanel(panel) {
  const counts = new Table("Counts of lines and zones", ["Pipeline", "Place", "What", "Count"],
    { numbers: [3], empty: "no pipeline has a line or a zone" });
  let rows = [];
  panel.append(element("h3", {}, "Crossings and zones"), counts.view,
    save("crossings-and-zones.csv", ["pipeline", "place", "what", "count"], () => rows));
  return async () => {
    try {
      const response = await fetch("/metrics");
      if (!response.ok) return;
      rows = crossingsAndZones(await response.text());
      counts.show(rows.map((row) => row.map(String)));
    } catch {
      // The next turn tries again.
    }
  };
}

/** Rows of the Prometheus text about lines and zones. */
export function crossingsAndZones(text) {
  const rows = [];
  for (const line of text.split("\n")) {
    const match = /^glimpse_(line_crossings_total|zone_occupancy)\{(.*)\} ([0-9.eE+]+)$/.exec(line);
    if (!match) continue;
    const labels = Object.fromEntries([...match[2].matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [key, value]));
    const what = match[1] === "zone_occupancy" ? `${labels.kind} in it` : `${labels.kind} ${labels.direction}`;
    rows.push([labels.pipeline, labels.line ?? labels.zone, what, Number(match[3])]);
  }
  return rows;
}

function frame(name, most) {
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": name },
    svg("line", { x1: left, y1: height - bottom, x2: width, y2: height - bottom, class: "axis" }),
    svg("line", { x1: left, y1: 10, x2: left, y2: height - bottom, class: "axis" }),
    svg("text", { x: 0, y: 16 }, String(most)), svg("text", { x: 0, y: height - bottom }, "0"));
}

function legend(kinds) {
  return element("p", { class: "note" }, ...kinds.flatMap((kind) => [element("span", { class: `kind ${kindClass(kind)}` }, `■ ${kind}`), " "]));
}

/** A button that saves the rows of that moment as comma-separated values (RFC 4180). */
function save(name, heads, rows) {
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
