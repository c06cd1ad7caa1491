// SPDX-License-Identifier: Apache-2.0
// Keeps the numbers of each detector from every status that has come since the page was opened.
import { watchStatus } from "./status.js";

const mostSamples = 450;

/** By "PIPELINE DETECTOR": the kind, and samples of a time, a median and 95th percentile in ms, and drops by cause. */
export const detectors = new Map();

watchStatus((status) => {
  for (const { name, detectors: each } of status.pipelines) {
    for (const detector of each ?? []) {
      if (!detector.latency_us) continue;
      const key = `${name} ${detector.name}`;
      const series = detectors.get(key) ?? { kind: detector.kind, samples: [] };
      series.samples.push({
        time: Date.now(), median: detector.latency_us.p50 / 1000, slow: detector.latency_us.p95 / 1000,
        busy: detector.dropped?.busy ?? 0, failed: detector.dropped?.failed ?? 0,
      });
      if (series.samples.length > mostSamples) series.samples.shift();
      detectors.set(key, series);
    }
  }
});

/** Frames that each sample's detector has dropped since the sample before, by second. A new worker counts from 0. */
export function dropRates(samples) {
  return samples.slice(1).map((sample, index) => {
    const before = samples[index];
    const dropped = sample.busy + sample.failed - before.busy - before.failed;
    return { time: sample.time, value: Math.max(0, dropped) / Math.max(0.001, (sample.time - before.time) / 1000) };
  });
}
