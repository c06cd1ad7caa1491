import Events

/// What `watch` asks the daemon for.
struct WatchRequest {
    var kinds: [String] = []
    var pipelines: [String] = []
    var labels: [String] = []
    var minimumConfidence: Double?
    var value: String?
    var rate: Double?
    var after: UInt64?

    private var hasFilter: Bool {
        !kinds.isEmpty || !pipelines.isEmpty || !labels.isEmpty || minimumConfidence != nil || value != nil
            || rate != nil
    }

    /// The request as a line with its newline; nil when everything, live, is wanted. With a filter it asks for a `state` too, because the
    /// first one, which comes before the daemon has heard anything, is of all tracks.
    var line: [UInt8]? {
        guard after != nil || hasFilter else { return nil }
        var json = JSONWriter()
        json.object { json in
            if hasFilter { json.object("subscribe") { encodeFilter(to: &$0) } }
            if let after { json.member("after", after) }
            if hasFilter { json.member("state", true) }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private func encodeFilter(to json: inout JSONWriter) {
        if !pipelines.isEmpty { json.array("pipelines") { for name in pipelines { $0.element(name) } } }
        if !kinds.isEmpty { json.array("kinds") { for kind in kinds { $0.element(kind) } } }
        if !labels.isEmpty { json.array("labels") { for label in labels { $0.element(label) } } }
        if let minimumConfidence { json.member(dynamicKey: "min_confidence", minimumConfidence) }
        if let value { json.member("value_regex", value) }
        if let rate { json.member(dynamicKey: "update_hz", rate) }
    }
}
