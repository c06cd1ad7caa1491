// The daemon, its workers and its journal.
import { element, Table } from "./dom.js";
import { stateText, watchStatus } from "./status.js";

export function health(main) {
  const daemon = new Table("Facts of the daemon", ["Name", "Value"], { empty: "waiting for the daemon" });
  const pipelines = new Table("Pipelines", ["Pipeline", "State", "Frames/s", "Memory", "Restarts", "Newest error"],
    { numbers: [2, 3, 4], empty: "there is no pipeline" });
  main.append(element("h2", {}, "Health"), element("section", { class: "panel" }, element("h3", {}, "Daemon"), daemon.view),
    element("section", { class: "panel" }, element("h3", {}, "Pipelines"), pipelines.view));
  return watchStatus((status) => {
    const journal = status.journal;
    daemon.show([
      ["Daemon", status.server], ["Configuration", `${status.config}, revision ${status.revision}`], ["Process", `${status.pid}`],
      ["Up", duration(status.uptime_ms)], ["Subscribers", `${status.subscribers}`],
      ["Journal on disk", journal ? (journal.error ? `error: ${journal.error}` : `${mebibytes(journal.bytes)}, dropped ${journal.dropped}`) : "none"],
      ["Sandbox", status.sandbox ? "workers are restricted" : "off"],
      ["Waiting for a restart", (status.restart_needed ?? []).join(", ") || "nothing"],
    ]);
    pipelines.show(status.pipelines.map((each) => [
      each.name, stateText(each) || each.state, String(each.source?.fps ?? ""), each.memory_bytes ? mebibytes(each.memory_bytes) : "",
      String(each.restarts ?? 0), each.last_error ?? "",
    ]));
  });
}

export function duration(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  return days ? `${days} d ${hours} h` : hours ? `${hours} h ${minutes} min` : minutes ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

function mebibytes(bytes) {
  return `${(bytes / 1048576).toFixed(1)} MiB`;
}
