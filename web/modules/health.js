// SPDX-License-Identifier: Apache-2.0
// The daemon, its workers, its journal and its relay; what needs attention; the last errors.
import { get } from "./api.js";
import { element, Table, time } from "./dom.js";
import { recent, subscribe } from "./events.js";
import { findings } from "./findings.js";
import { stateSince, watchStatus } from "./status.js";

const mostErrors = 20;

export function health(main) {
  const attention = new Table("What needs attention", ["About", "What", "What helps"], { empty: "waiting for the daemon", stacks: true });
  const daemon = new Table("Facts of the daemon", ["Name", "Value"], { empty: "waiting for the daemon" });
  const relay = new Table("Destinations of the relay", ["Name", "State", "Sent", "Waiting"], { numbers: [2, 3], empty: "no relay runs" });
  const pipelines = new Table("States of the pipelines", ["Pipeline", "State", "Frames/s", "Memory", "Restarts", "Newest error"],
    { numbers: [2, 3, 4], empty: "there is no pipeline", stacks: true });
  const errors = new Table("List of errors", ["Time", "About", "Error"], { empty: "the daemon remembers no error", stacks: true });
  const panel = (title, ...content) => element("section", { class: "panel", "aria-label": title }, element("h3", {}, title), ...content);
  main.append(element("h2", {}, "Health"),
    panel("Needs attention", attention.view, element("p", { class: "note soft" },
      "From the daemon's status. On the machine of the cameras, ", element("code", {}, "glimpsed doctor"), " also checks what is installed.")),
    element("div", { class: "pair" }, panel("Daemon", daemon.view), panel("Relay", relay.view)),
    panel("Pipelines", pipelines.view), panel("Last errors", errors.view));

  let state = null;
  let last = null;
  const show = () => {
    if (!last) return;
    const found = findings(last, state);
    attention.show(found.map(([level, subject, text, advice]) =>
      [element("span", { class: level }, subject), text, advice]), "nothing: everything works");
    daemon.show(facts(last, state));
    pipelines.show(last.pipelines.map((each) => [
      element("a", { href: `#/camera/${encodeURIComponent(each.name)}` }, each.name), stateSince(each),
      String(each.source?.fps ?? ""), each.memory_bytes ? mebibytes(each.memory_bytes) : "", String(each.restarts ?? 0), each.last_error ?? "",
    ]));
    relay.show((state?.relay?.destinations ?? []).map((each) => [
      `${each.name} (${each.kind})`, each.connected ? `connected to ${each.address}` : `not connected${each.error ? `: ${each.error}` : ""}`,
      String(each.sent), String(each.unacknowledged),
    ]));
  };
  const read = async () => {
    state = await get("/api/health").catch(() => null);
    show();
  };
  read();
  const timer = setInterval(read, 5000);
  const endStatus = watchStatus((status) => {
    last = status;
    show();
  });
  const rows = [];
  const endEvents = recent((after) => subscribe({ types: "source,detector,config", after }, (line) => {
    const text = line.error ?? (line.type === "detector" && !line.operational ? line.reason : null);
    if (!text || line.type === "error") return;
    rows.unshift([time(line.time), [line.pipeline, line.detector].filter(Boolean).join(" ") || "configuration", text]);
    rows.length = Math.min(rows.length, mostErrors);
    errors.show(rows);
  }));
  return () => {
    clearInterval(timer);
    endStatus();
    endEvents();
  };
}

function facts(status, state) {
  const { journal, sandbox } = status;
  const withheld = sandbox ? [sandbox.landlock && `Landlock ${sandbox.landlock}`, sandbox.seccomp && "seccomp"].filter(Boolean).join(", ") : "";
  return [
    ["Daemon", `${status.server}, up ${duration(status.uptime_ms)}`], ["Page", state?.server ?? ""],
    ["Configuration", `${status.config}, revision ${status.revision}`], ["Process", `${status.pid}`], ["Subscribers", `${status.subscribers}`],
    ["Journal on disk", journal ? (journal.error ? `error: ${journal.error}` : `${mebibytes(journal.bytes)}, dropped ${journal.dropped}`) : "none"],
    ["Sandbox", sandbox ? `workers are restricted${withheld ? ` (${withheld})` : ""}` : "off"],
    ["Waiting for a restart", (status.restart_needed ?? []).join(", ") || "nothing"],
  ];
}

export function duration(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  return days ? `${days} d ${hours} h` : hours ? `${hours} h ${minutes} min` : minutes ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

function mebibytes(bytes) {
  return `${(bytes / 1048576).toFixed(1)} MiB`;
}
