import Events

/// What `watch` asks the daemon for.
struct WatchRequest {
    var kinds: [String] = []
    var pipelines: [String] = []
    var after: UInt64?

    /// The request as a line with its newline; nil when everything, live, is wanted.
    var line: [UInt8]? {
        guard after != nil || !kinds.isEmpty || !pipelines.isEmpty else { return nil }
        var json = JSONWriter()
        json.object { json in
            if !kinds.isEmpty || !pipelines.isEmpty {
                json.object("subscribe") { json in
                    if !pipelines.isEmpty { json.array("pipelines") { for name in pipelines { $0.element(name) } } }
                    if !kinds.isEmpty { json.array("kinds") { for kind in kinds { $0.element(kind) } } }
                }
            }
            if let after { json.member("after", after) }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
