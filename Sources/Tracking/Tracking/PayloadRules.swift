// SPDX-License-Identifier: Apache-2.0
import Observations

/// The meaning of payloads for the identity and the life of tracks.
public struct PayloadRules: Sendable, Equatable {
    /// The rule by which two sightings are one item.
    public var identity = Identity.valueAndPosition
    /// The number of equal reads before a payload is believed.
    public var confirmation = Confirmation.auto
    /// Seconds after `completed` in which the same payload is not `detected` again; what is in view when they are over
    /// is detected then.
    public var cooldown = 0.0

    /// The rule by which two sightings are one item.
    public enum Identity: Sendable, Equatable {
        /// Equal symbols side by side are two.
        case valueAndPosition
        /// Mobile Vision's rule: symbols with equal payloads are one, wherever they are.
        case value
    }

    /// Equal reads before a payload is believed.
    public enum Confirmation: Sendable, Equatable {
        /// Two for symbologies with a weak check or none: ITF, Code 39, Codabar, Telepen, DX film edge. Two for reads
        /// that are not certain (UPC-E three). One for all others.
        case auto
        /// This number for every symbology.
        case reads(Int)
    }

    /// Equal symbols side by side are two, confirmation is automatic, and nothing cools down.
    public init() {}

    /// - Parameter isDoubtful: whether the read may be a misread of its symbol.
    func readsNeeded(_ format: Barcode.Format?, isDoubtful: Bool) -> Int {
        switch (confirmation, format) {
        case (.reads(let count), _): count
        case (.auto, .itf), (.auto, .code39), (.auto, .codabar), (.auto, .telepen), (.auto, .dxFilmEdge): 2
        // UPC-E has no check digit of its own.
        case (.auto, .upcE): isDoubtful ? 3 : 1
        case (.auto, _): isDoubtful ? 2 : 1
        }
    }
}

/// How often a track's payload was read, and whether that is enough.
struct Readings: Sendable, Equatable {
    /// The reads of the newest payload.
    private(set) var count = 0
    /// Reads of that payload before it is believed.
    private(set) var needed = 0
    private(set) var isBelieved = false
    /// Reads of other payloads in its place.
    private var contradictions = 0

    /// More contradictions do not ask for more reads: a label may have been exchanged.
    private static let mostContradictions = 2

    /// - Parameters:
    ///   - isSame: whether the payload is that of the last read.
    ///   - needed: reads before it is believed, where nothing contradicts it.
    mutating func add(_ barcode: Barcode, isSame: Bool, needed: Int) {
        guard !barcode.isFollowed else { return }
        if !isSame { self = Readings(contradictions: min(contradictions + 1, Self.mostContradictions)) }
        count += 1
        // One certain read is enough, whatever the doubtful ones said.
        self.needed = needed > 1 ? needed + contradictions : needed
        if count >= self.needed { isBelieved = true }
    }

    /// A payload that its detector answers for: one read is enough.
    mutating func believe(isSame: Bool) {
        count = isSame ? count + 1 : 1
        isBelieved = true
    }

    /// Another payload is known in its place.
    mutating func contradict() { contradictions = min(contradictions + 1, Self.mostContradictions) }

    init(contradictions: Int = 0) { self.contradictions = contradictions }
}

/// The payloads whose tracks ended a short while ago.
struct Cooldown: Sendable {
    /// More are forgotten, oldest first: what is bounded here is memory, not what may be detected.
    private static let capacity = 4096

    /// 0: nothing is held.
    var seconds: Double
    private var ends: [(payload: UInt64, at: Double)] = []

    init(seconds: Double) {
        self.seconds = seconds
    }

    mutating func ended(_ payload: UInt64?, at now: Double) {
        guard seconds > 0, let payload else { return }
        ends.removeAll { $0.payload == payload || now - $0.at >= seconds }
        if ends.count >= Self.capacity { ends.removeFirst() }
        ends.append((payload, now))
    }

    mutating func reset() { ends.removeAll() }

    func holds(_ payload: UInt64?, at now: Double) -> Bool {
        guard seconds > 0, let payload else { return false }
        return ends.contains { $0.payload == payload && now - $0.at < seconds }
    }
}
