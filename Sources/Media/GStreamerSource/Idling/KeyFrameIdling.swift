// SPDX-License-Identifier: Apache-2.0
import Frames
import Settings

/// The limits of `KeyFrameIdling`.
struct IdleLimits: Sendable, Equatable {
    /// The longest time that is held, in nanoseconds of the stream.
    var duration: Int64
    /// The most encoded frames in memory.
    var bytes: Int
    /// The least time between two key frames that are decoded, in nanoseconds of the stream.
    var interval: Int64
    /// How much of the newest video is kept in any case, in nanoseconds of the stream.
    var ring: Int64 = 0
}

/// Decides which encoded frames of a source are decoded.
///
/// While the picture is at rest, only key frames are decoded, at most one in `IdleLimits.interval`. Every other encoded
/// frame since the last key frame without a change is held. When the picture changes, the held frames are decoded after
/// the fact, so no frame of the change is lost.
///
/// A frame that is not a key frame depends on those before it. A key frame may have been decoded since the held frames
/// began. Then the earlier frames of their group are decoded once more.
struct KeyFrameIdling<Buffer: Sendable> {
    typealias Item = EncodedItem<Buffer>

    enum Decision: Sendable {
        /// The frame goes to the decoder.
        case pass(Item, FrameRole)
        case hold
        /// This earlier key frame goes to the decoder in the role `glance`, and the frame itself is held.
        case glance(Item)
        /// These go to the decoder, then the frame itself in the role `past`.
        case catchUp([(item: Item, role: FrameRole)], Item)
    }

    /// The number of key frames in a row without an answer that makes an obstacle.
    private static var mostUnanswered: Int { 3 }

    private let limits: IdleLimits
    private var obstacles = IdleObstacles()
    private(set) var arrived: UInt64 = 0
    private(set) var isIdle = false
    private var mayIdle = false
    /// The time of the frame before.
    private var last: Int64?
    /// The time of the last key frame, or of the first frame.
    private var keyTime: Int64?
    /// Has every frame from `reference` on while the source is idle.
    private(set) var ring: EncodedRing<Buffer>
    /// The last key frame without a change, or that of the group in which the idling began.
    private var reference: Item?
    /// The number of the last frame of the reference's group that was decoded in its turn.
    private var decoded: UInt64 = 0
    /// The key frame of the newest group. nil if the group exceeds the limits, or if the decoder has not had every
    /// frame of it that arrived before the idling.
    private var key: Item?
    private var groupBytes = 0
    /// The time between the last two key frames.
    private var groupLength: Int64?
    /// The size of the frames after `reference`.
    private var heldBytes = 0
    /// The number of the decoded key frame after `reference` that has no answer yet.
    private var glance: UInt64?
    private var isChanged: Bool?
    /// The key frames in a row that ended the idling because no answer came, such as damaged ones.
    private var unanswered = 0

    init(_ limits: IdleLimits) {
        self.limits = limits
        ring = EncodedRing(duration: limits.ring, bytesLimit: limits.bytes)
    }

    /// Why the source is decoded whole for now; nil while it may idle.
    var obstacle: String? { obstacles.current }

    /// Whether no recent frame is shown before a frame that arrived earlier.
    var isInOrder: Bool { !obstacles.hasDisorder }

    /// Whether the picture is at rest. If it is not, the next frame ends the idling.
    mutating func mayIdle(_ rests: Bool) { mayIdle = rests }

    mutating func answer(isChanged: Bool) {
        guard glance != nil else { return }
        unanswered = 0
        self.isChanged = isChanged
    }

    /// - Parameters:
    ///   - time: in nanoseconds of the stream; nil without a time stamp.
    ///   - isKey: whether the frame depends on no other.
    mutating func arrive(_ buffer: Buffer, time: Int64?, bytes: Int, isKey: Bool) -> Decision {
        arrived += 1
        let item = Item(buffer: buffer, number: arrived, time: time ?? last ?? 0, bytes: bytes, isKey: isKey)
        defer {
            ring.append(item, keeping: reference?.number ?? key?.number)
            last = item.time
            if isKey || keyTime == nil { keyTime = item.time }
        }
        follow(item)
        obstacles.pass(item.time)
        if let time, time <= last ?? .min { obstacles.add(.disorder, at: time) }
        if time == nil { obstacles.add(.untimed, at: item.time) }
        guard isIdle else { return begin(item, isKey: isKey) }
        let hasSettled = settle()
        guard obstacle == nil, mayIdle, isChanged != true else { return .catchUp(end(), item) }
        if let reference, heldBytes + bytes > limits.bytes || item.time - reference.time > limits.duration {
            refuseLongGroup(at: item.time)
            return .catchUp(end(), item)
        }
        heldBytes += bytes
        guard glance == nil, let reference else { return .hold }
        let isDue = { [limits] (item: Item) in item.isKey && item.time - reference.time >= limits.interval }
        // One that came before the answer to the key frame before it.
        if hasSettled, let late = ring.items(after: reference.number).first(where: isDue) {
            glance = late.number
            return .glance(late)
        }
        guard isDue(item) else { return .hold }
        glance = item.number
        return .pass(item, .glance)
    }

    private mutating func begin(_ item: Item, isKey: Bool) -> Decision {
        guard mayIdle else { return .pass(item, .ordinary) }
        if item.time - (keyTime ?? item.time) > limits.duration { obstacles.add(.rareKeys, at: item.time) }
        if item.bytes > limits.bytes, isKey { obstacles.add(.longGroup, at: item.time) }
        // Where key frames are rare, an attempt in mid-group would hold frames in vain.
        if obstacle == nil, let key, isKey || groupLength ?? .max <= limits.duration {
            (isIdle, reference, decoded, heldBytes) = (true, key, item.number, groupBytes)
        }
        return .pass(item, .ordinary)
    }

    /// Takes note of the group to which a frame belongs.
    private mutating func follow(_ item: Item) {
        if item.isKey {
            groupLength = keyTime.map { item.time - $0 }
            (key, groupBytes) = (item, 0)
        }
        groupBytes += item.bytes
        if let first = key, groupBytes > limits.bytes || item.time - first.time > limits.duration { key = nil }
    }

    /// The decoder has not had every frame of the newest group, or it starts anew.
    mutating func forgetGroup() { key = nil }

    /// A key frame that is not answered in time, perhaps because it is damaged, ends the idling once. Otherwise the
    /// group of pictures exceeds the limits.
    private mutating func refuseLongGroup(at time: Int64) {
        forgetGroup()
        guard glance != nil else { return obstacles.add(.longGroup, at: time) }
        unanswered += 1
        if unanswered == Self.mostUnanswered {
            obstacles.add(.noPictures, at: time)
            unanswered = 0
        }
    }

    /// Makes an answered key frame without a change the new reference.
    ///
    /// - Returns: whether there is one.
    @discardableResult private mutating func settle() -> Bool {
        guard isChanged == false, let number = glance, let item = ring.items(after: number - 1).first else {
            return false
        }
        (reference, decoded) = (item, number)
        obstacles.resetPause()
        heldBytes = ring.items(after: number).reduce(0) { $0 + $1.bytes }
        (glance, isChanged) = (nil, nil)
        return true
    }

    /// Ends the idling.
    ///
    /// - Returns: what goes to the decoder before anything else.
    mutating func end() -> [(item: Item, role: FrameRole)] {
        settle()
        guard isIdle, let reference else { return [] }
        let first = glance == nil ? decoded : reference.number - 1
        let frames = ring.items(after: first).map { (item: $0, role: $0.number <= decoded ? FrameRole.again : .past) }
        (isIdle, self.reference, heldBytes, glance, isChanged) = (false, nil, 0, nil, nil)
        return frames
    }
}

extension IdleLimits {
    /// A tracker takes a longer step for a jump in time, which ends every track: `TrackerConfiguration.longestStep`.
    private static let longestDuration: Int64 = 5_000_000_000

    init(_ idling: IdleSettings, _ ring: RingSettings) {
        self.init(
            duration: Self.longestDuration, bytes: ring.bytes, interval: Int64(idling.every / .nanoseconds(1)),
            ring: Int64(ring.duration / .nanoseconds(1)))
    }
}
