// SPDX-License-Identifier: Apache-2.0
// Charts, each with its numbers as a file.
import { address, get } from "./api.js";
import { Bars } from "./bars.js";
import { save } from "./chart.js";
import { Curves } from "./curves.js";
import { element, Table } from "./dom.js";
import { detectors, dropRates } from "./samples.js";
import { watchStatus } from "./status.js";

const mostEntries = 1000;
const refresh = 60_000;

export function charts(main) {
  const grid = element("div", { class: "grid charts" });
  main.append(element("h2", {}, "Charts"), grid);
  const panel = (title, ...content) => grid.append(
    element("section", { class: "panel", "aria-label": title }, element("h3", {}, title), ...content));

  const hours = new Bars("Tracks per hour", "loading");
  const dwell = new Bars("Median time in each zone in seconds", "loading");
  let [hourRows, dwellRows] = [[], []];
  panel("Tracks per hour", hours.view, save("tracks-per-hour.csv", ["hour", "kind", "tracks"], () => hourRows));
  panel("Seconds in zones", dwell.view, element("p", { class: "note soft" }, "of tracks that ended within a day; the line leads to the longest"),
    save("dwell-times.csv", ["pipeline", "zone", "tracks", "median_s", "longest_s", "total_s"], () => dwellRows));
  const readHistory = async () => {
    try {
      const since = new Date(Date.now() - 24 * 3600e3).toISOString();
      const { entries } = await get(address("/api/history", { since, limit: mostEntries }));
      const tracks = entries.filter((entry) => entry.type === "track");
      hourRows = showHours(hours, tracks);
      dwellRows = showDwell(dwell, tracks);
    } catch (problem) {
      for (const bars of [hours, dwell]) bars.chart.say(problem.message);
    }
  };
  readHistory();

  const times = new Curves("Processing time in milliseconds", "no detector has run yet");
  const drops = new Curves("Dropped frames a second", "waiting for a second status");
  const rows = (values) => () => [...detectors].flatMap(([name, { samples }]) =>
    samples.map((sample) => [new Date(sample.time).toISOString(), name, ...values.map((value) => sample[value])]));
  panel("Processing time in milliseconds", times.view, element("p", { class: "note soft" }, "from a frame to its events, median"),
    save("processing-time.csv", ["time", "detector", "median_ms", "p95_ms"], rows(["median", "slow"])));
  panel("Dropped frames a second", drops.view, element("p", { class: "note soft" }, "busy or failed; max_rate leaves out others on purpose"),
    save("dropped-frames.csv", ["time", "detector", "busy", "failed"], rows(["busy", "failed"])));
  const endStatus = watchStatus(() => {
    const series = (values) => [...detectors].map(([name, { kind, samples }]) => ({ name, kind, values: values(samples) }));
    times.draw(series((samples) => samples.map(({ time, median }) => ({ time, value: median }))), (value) => `${value.toFixed(1)} ms`);
    drops.draw(series(dropRates), (value) => `${value.toFixed(1)} a second`);
  });

  const counts = new Table("Counts of lines and zones", ["Pipeline", "Place", "What", "Count"],
    { numbers: [3], empty: "no pipeline has a line or a zone" });
  let countRows = [];
  panel("Crossings and zones now", counts.view, save("crossings-and-zones.csv", ["pipeline", "place", "what", "count"], () => countRows));
  const readCounts = async () => {
    const response = await fetch("/metrics").catch(() => null);
    // The next turn tries again.
    if (!response?.ok) return;
    countRows = crossingsAndZones(await response.text());
    counts.show(countRows.map((row) => row.map(String)));
  };
  readCounts();
  const timers = [setInterval(readCounts, 10_000), setInterval(readHistory, refresh)];
  return () => {
    for (const timer of timers) clearInterval(timer);
    endStatus();
  };
}

const hourOf = (time) => Math.floor(new Date(time).getTime() / 3600e3);
const clock = (hour) => new Date(hour * 3600e3).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** Draws the last 24 hours, oldest first. Returns the rows of the file. */
function showHours(bars, tracks) {
  const first = hourOf(Date.now()) - 23;
  const counts = Array.from({ length: 24 }, () => ({}));
  for (const { kind, first_seen: seen } of tracks) {
    const count = counts[hourOf(seen) - first];
    if (count) count[kind] = (count[kind] ?? 0) + 1;
  }
  const kinds = [...new Set(tracks.map(({ kind }) => kind))].sort();
  bars.draw(counts.map((count, index) => ({
    parts: kinds.map((kind) => [kind, count[kind] ?? 0]),
    tick: index % 6 === 3 ? clock(first + index) : "",
    text: `${clock(first + index)} to ${clock(first + index + 1)}: ${kinds.filter((kind) => count[kind]).map((kind) => `${count[kind]} ${kind}`).join(", ") || "no track"}`,
  })), kinds);
  if (tracks.length === mostEntries) bars.legend.append(element("p", { class: "note soft" }, "the newest 1,000 tracks only"));
  return counts.flatMap((count, index) => kinds.map((kind) => [new Date((first + index) * 3600e3).toISOString(), kind, count[kind] ?? 0]));
}

/** Draws the median time in each zone. Returns the rows of the file. */
function showDwell(bars, tracks) {
  const zones = new Map();
  for (const { pipeline, kind, zones: stays } of tracks) {
    for (const { zone, dwell_ms: dwell } of stays ?? []) {
      const name = JSON.stringify([pipeline, zone]);
      const known = zones.get(name) ?? { pipeline, zone, kind, seconds: [] };
      known.seconds.push(dwell / 1000);
      zones.set(name, known);
    }
  }
  if (!zones.size) {
    bars.chart.say("no track has been in a zone");
    return [];
  }
  const rows = [...zones.values()].map(({ pipeline, zone, kind, seconds }) => {
    const sorted = seconds.sort((one, other) => one - other);
    return { pipeline, zone, kind, count: sorted.length, median: sorted[Math.floor(sorted.length / 2)], most: sorted.at(-1), sum: sorted.reduce((sum, each) => sum + each, 0) };
  });
  bars.draw(rows.map(({ pipeline, zone, kind, count, median, most }) => ({
    parts: [[kind, median]], most, tick: zone.length > 14 ? `${zone.slice(0, 13)}…` : zone,
    text: `${zone} of ${pipeline}: ${count} ${count === 1 ? "track" : "tracks"}, median ${median.toFixed(1)} s, longest ${most.toFixed(1)} s`,
  })), []);
  return rows.map(({ pipeline, zone, count, median, most, sum }) => [pipeline, zone, count, median, most, sum.toFixed(1)]);
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
