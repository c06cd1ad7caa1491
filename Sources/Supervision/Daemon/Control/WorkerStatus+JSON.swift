import JSONLines
import WorkerChannel
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
        if let process { json.member("pid", process) }
        json.member("epoch", epoch)
        if let age { json.member("uptime_ms", Int64(age / .milliseconds(1))) }
        json.member("restarts", restarts)
        if let memory { json.member("memory_bytes", memory) }
        json.member("tracks", ledger.liveTracks)
        json.object("source") { json in
            json.member("received", received)
            if let receivedPerSecond { json.member("fps", Float(receivedPerSecond).tenths) }
        }
        if let pictures {
            json.object("pictures") { json in
                json.member("waiting", pictures.waiting)
                json.member("written", pictures.written)
                json.member("refused", pictures.refused)
                json.member("failed", pictures.failed)
                json.member("deleted", pictures.deleted)
            }
        }
        json.array("detectors") { json in
            for detector in ledger.detectors {
                json.object { json in
                    json.member("name", detector.name)
                    detector.encode(to: &json)
                    lanes.first { $0.counts.detector == detector.name }?.encode(to: &json)
                }
            }
        }
    }
}

extension WorkerStatus.Lane {
    fileprivate func encode(to json: inout JSONWriter) {
        json.member("processed", counts.processed)
        if let perSecond { json.member("fps", Float(perSecond).tenths) }
        json.object("dropped") { json in
            json.member("busy", counts.dropped)
            json.member("max_rate", counts.skipped)
            json.member("failed", counts.failed)
        }
        json.member("refused_detections", counts.refused)
        json.member("evicted_tracks", counts.evicted)
        if counts.smallFaces > 0 {
            json.object("too_small") { json in
                json.member("faces", counts.smallFaces)
                json.member("min_size", Float(counts.smallFacesMinSize) / 1000)
            }
        }
        json.member("busy_ms", counts.busyMilliseconds)
        counts.wait.encode("wait_us", to: &json)
        counts.total.encode("latency_us", to: &json)
    }
}

extension WorkerHeartbeat.Latency {
    fileprivate func encode(_ key: StaticString, to json: inout JSONWriter) {
        json.object(key) { json in
            json.member("p50", median)
            json.member("p95", percentile95)
            json.member("max", longest)
        }
    }
}

extension Float {
    /// A rate to the nearest tenth: more is noise.
    fileprivate var tenths: Float { (self * 10).rounded() / 10 }
}
