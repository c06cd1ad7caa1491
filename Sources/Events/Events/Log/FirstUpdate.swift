extension EncodedEvent {
    /// The `update` that follows a `detected` at once, out of that line: the two differ in their type alone. nil for other lines.
    var firstUpdate: EncodedEvent? {
        let (detected, update) = (Array(#""type":"detected""#.utf8), Array(#""type":"update""#.utf8))
        guard kind == .detected, body.starts(with: detected) else { return nil }
        return EncodedEvent(
            kind: .update, detector: detector, feature: feature, track: track,
            body: update + body.dropFirst(detected.count))
    }
}
