// SPDX-License-Identifier: Apache-2.0
import GlimpseClient

/// Greets each face that the daemon sees, and says goodbye to it.
final class Visitor: TrackFollower {
    func detected(_ track: TrackEvent) { print("hello", track.id, track.kind) }
    func completed(_ track: TrackEvent, reason: String) { print("bye", track.id, reason) }
}

@main
struct Visitors {
    static func main() async throws {
        try await Subscription(filter: Filter(kinds: ["face"])).follow { track in Visitor() }
    }
}
