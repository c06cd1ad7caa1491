// SPDX-License-Identifier: Apache-2.0
// Finds faults that need attention in the daemon's status and the page's own health. No program runs for it.

const restartHint = "restart the daemon: systemctl restart glimpsed";

/** Findings as [level, subject, text, advice]; the level is bad, warn or soft. */
export function findings(status, health) {
  return [...ofDaemon(status, health), ...ofRelay(health), ...status.pipelines.flatMap(ofPipeline)];
}

function ofDaemon(status, health) {
  const found = [];
  const version = (text) => text?.split(" ").at(-1);
  if (health && !health.connected) found.push(["bad", "page", "the event socket is not connected", "systemctl status glimpsed.socket"]);
  if (health && version(health.server) !== version(status.server)) {
    found.push(["warn", "page", `${health.server} beside ${status.server}`, "install equal versions, and restart both"]);
  }
  if (status.restart_needed?.length) found.push(["warn", "daemon", `these keys wait for a restart: ${status.restart_needed.join(", ")}`, restartHint]);
  if (status.journal?.error) found.push(["bad", "journal", status.journal.error, "make room, or give the folder back to the daemon's user"]);
  if (status.journal?.dropped) found.push(["warn", "journal", `${status.journal.dropped} events found no room on disk`, "a faster disk, or a larger retention.events"]);
  if (!status.journal) found.push(["soft", "journal", "there is no history", "set retention.events to a size"]);
  if (!status.sandbox) found.push(["warn", "daemon", "workers run without a sandbox", "remove workers.sandbox = \"off\""]);
  return found;
}

function ofRelay(health) {
  return (health?.relay?.destinations ?? []).filter((each) => !each.connected || each.error).map((each) =>
    [each.connected ? "warn" : "bad", `relay ${each.name}`, each.error ?? "it is not connected", "systemctl status glimpsed-relay"]);
}

function ofPipeline(each) {
  const found = [];
  const add = (level, text, advice) => found.push([level, each.name, text, advice]);
  const isPaused = each.state === "paused";
  if (each.state === "disabled") add("bad", `disabled: ${each.last_error ?? each.reason ?? "it has failed too often"}`, `glimpsed resume ${each.name}`);
  else if (["lost", "retrying", "stalled"].includes(each.state)) add("bad", `${each.state}: ${each.last_error ?? each.reason ?? "no picture comes"}`, "check the camera, its address and its password");
  else if (isPaused && each.reason !== "on_demand") add("soft", "paused", `glimpsed resume ${each.name}`);
  else if (each.restarts) add("warn", `its worker was replaced ${each.restarts} ${each.restarts === 1 ? "time" : "times"}${each.last_error ? `: ${each.last_error}` : ""}`, "journalctl -u glimpsed");
  if (each.pictures_withheld) add("warn", `no picture leaves: ${each.pictures_withheld}`, "see [privacy] in the pipeline's file");
  for (const detector of each.detectors ?? []) {
    const name = `${detector.name}: `;
    if (!detector.operational) add("bad", `${name}${detector.reason ?? "not operational"}`, "glimpsed doctor says what is missing");
    const { busy = 0, failed = 0 } = detector.dropped ?? {};
    if (failed) add("bad", `${name}failed on ${failed} ${failed === 1 ? "frame" : "frames"}`, "journalctl -u glimpsed");
    if (busy > (detector.processed ?? 0) / 4) add("warn", `${name}too slow for ${busy} of ${busy + (detector.processed ?? 0)} frames`, "set max_rate, a faster mode, or a larger min_size");
    if (detector.too_small?.faces) {
      add("warn", `${name}${detector.too_small.faces} faces are too small`, `face.min_size = ${detector.too_small.min_size / 1000} shows them`);
    }
  }
  return found;
}
