// SPDX-License-Identifier: Apache-2.0
extension EncodedEvent {
    /// The `update` that follows a `detected` line at once. The two lines differ only in their type. nil for other
    /// lines.
    package var firstUpdate: EncodedEvent? {
        let (detected, update) = (Kind.detected.member, Kind.update.member)
        guard kind == .detected, body.starts(with: detected) else { return nil }
        return EncodedEvent(
            kind: .update, detector: detector, feature: feature, track: track,
            body: update + body.dropFirst(detected.count))
    }
}
