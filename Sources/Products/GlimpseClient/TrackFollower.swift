// SPDX-License-Identifier: Apache-2.0
/// Follows one track of the daemon through its life. Each track has its own object.
///
/// The calls for one track always read `detected update (update | missing+ update)* missing* completed`. A
/// `FeatureTracker` inside a pipeline receives its calls in this order too. The task that calls `Subscription.follow`
/// makes all calls, in the order of the stream.
public protocol TrackFollower: AnyObject {
    /// The track is new to this program. `update` follows at once, with the newest known line of the track.
    func detected(_ track: TrackEvent)
    /// The track is in this frame.
    func update(_ track: TrackEvent)
    /// The track is not in this frame but may come back. Its box is a prediction.
    func missing(_ track: TrackEvent)
    /// The track has ended.
    ///
    /// - Parameters:
    ///   - track: the last line of the track that was read. This is the `completed` line of the daemon if it was read.
    ///   - reason: the daemon's reason, such as `gone`. `lost` means that the end was in a gap, or that the daemon
    ///     began another run. `unfollowed` means that `follow` has ended.
    func completed(_ track: TrackEvent, reason: String)
}

extension TrackFollower {
    /// Does nothing.
    public func detected(_ track: TrackEvent) {}
    /// Does nothing.
    public func update(_ track: TrackEvent) {}
    /// Does nothing.
    public func missing(_ track: TrackEvent) {}
    /// Does nothing.
    public func completed(_ track: TrackEvent, reason: String) {}
}

/// The reason why `Subscription.follow` cannot continue, for people. Either the daemon refuses the filter or the
/// position, or the connection is lost and the subscription does not reconnect.
public struct FollowError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, for people.
    public let description: String
}

extension Subscription {
    /// Makes one object for each track and calls it about the life of the track, until the task is cancelled.
    ///
    /// A track that is live at the time of the connection is followed from its newest line on. A lost connection ends
    /// no track, because the daemon's journal supplies the missed lines. A track whose end is lost is completed with
    /// the reason `lost`. The filter's `types` must be nil or contain all four types of track lines.
    ///
    /// Every track has been completed when this method returns or throws.
    ///
    /// - Parameters:
    ///   - others: receives every event that is not about a track, such as `.gap` and `.disconnected`.
    ///   - make: makes the object that follows a track. It returns nil for a track of no interest.
    /// - Throws: `FollowError`.
    public func follow(
        isolation: isolated (any Actor)? = #isolation, others: (Event) -> Void = { _ in },
        _ make: (TrackEvent) -> (any TrackFollower)?
    ) async throws(FollowError) {
        var lives = TrackLives(after: position)
        var followers: [TrackLives.Key: any TrackFollower] = [:]
        func deliver(_ calls: [TrackLives.Call]) {
            for call in calls {
                switch call.phase {
                case .detected:
                    let follower = make(call.track)
                    followers[call.key] = follower
                    follower?.detected(call.track)
                case .update: followers[call.key]?.update(call.track)
                case .missing: followers[call.key]?.missing(call.track)
                case .completed(let reason):
                    followers.removeValue(forKey: call.key)?.completed(call.track, reason: reason)
                }
            }
        }
        defer { deliver(lives.end()) }
        var events = makeAsyncIterator()
        while let event = await events.next(isolation: isolation) {
            deliver(lives.take(event))
            if lives.wantsState { events.requestState() }
            switch event.content {
            case .track: break
            case .refused(let reason) where events.isOver:
                others(event)
                throw FollowError(description: "the daemon refuses: \(reason)")
            case .disconnected(let lost) where lost.retryAfter == nil:
                others(event)
                throw FollowError(description: lost.reason)
            default: others(event)
            }
        }
    }
}
