// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Workers

extension WorkerStatus {
    /// Encodes the pipeline's object in the reply to `status`. Unknown values are omitted.
    func encode(to json: inout JSONWriter) {
        json.member("name", ledger.identity.name)
        json.member("file", file)
        json.member("state", ledger.state)
        if let reason = ledger.reason { json.member("reason", reason) }
        if let error = ledger.lastError {
            json.key("last_error")
            json.element(raw: error)
        }
        if let warning { json.member("last_warning", warning) }
        if let time = ledger.stateTime {
            json.key("since")
            json.element(raw: time)
        }
        if let process { json.member("pid", process) }
        json.member("epoch", epoch)
        if let age { json.member("uptime_ms", Int64(age / .milliseconds(1))) }
        json.member("restarts", restarts)
        if let memory { json.member("memory_bytes", memory) }
        json.member("tracks", ledger.liveTracks)
        json.object("source") { $0.members(meter.source.values) { meter.source.perSecond($0) } }
        if let pictures = meter.pictures {
            json.object("pictures") { $0.members(pictures) }
        }
        if let withholding = meter.withholding { json.member("pictures_withheld", withholding) }
        json.array("detectors") { json in
            for detector in ledger.detectors {
                json.object { json in
                    json.member("name", detector.name)
                    detector.encode(to: &json)
                    if let lane = meter.lanes[detector.name] {
                        json.members(lane.values) { lane.perSecond($0) }
                    }
                }
            }
        }
    }
}
