// SPDX-License-Identifier: Apache-2.0
import EventLines

/// Checks the zones of tracks. A track enters a zone before it dwells in it and leaves it. It dwells only while it is
/// seen, `dwell_ms` never decreases, and it has left every zone when it is completed.
///
/// The rule applies only if the reader received all lines from the beginning. It stores the zones of live tracks.
struct ZoneRule: Sendable {
    private struct Stays {
        /// The `dwell_ms` of each zone's `dwelling` line; 0 before that line.
        var dwell: [String: UInt64] = [:]
        var isMissing = false
    }

    private var isWhole = true
    private var stays: [LifeCycleGrammar.Key: Stays] = [:]

    /// - Parameter isWhole: whether all lines from the beginning follow.
    mutating func forget(isWhole: Bool) {
        self.isWhole = isWhole
        stays = [:]
    }

    /// Records that updates were left out here for a slow reader: a missing track may have been seen again.
    mutating func skip() {
        for key in stays.keys { stays[key]?.isMissing = false }
    }

    /// - Throws: `Violation.Problem`.
    mutating func take(_ key: LifeCycleGrammar.Key, zone: String, state: String, dwell: UInt64?) throws {
        guard isWhole else { return }
        let told = stays[key]?.dwell[zone]
        switch ZoneEvent.State(rawValue: state) {
        case .entered:
            if told != nil { throw Violation.Problem("\(key): entered zone \(zone), but is already in it") }
            stays[key, default: Stays()].dwell[zone] = 0
        case .dwelling, .left:
            guard let told else { throw Violation.Problem("\(key): \(state) zone \(zone), but is not in it") }
            if let dwell, dwell < told {
                throw Violation.Problem(
                    "\(key): \(state) zone \(zone) after \(dwell) ms, but had already dwelt for \(told) ms")
            }
            if state == ZoneEvent.State.left.rawValue {
                stays[key]?.dwell[zone] = nil
            } else {
                if stays[key]?.isMissing == true {
                    throw Violation.Problem("\(key): dwelling zone \(zone), but it is missing")
                }
                stays[key]?.dwell[zone] = dwell
            }
        case nil: break
        }
    }

    /// Takes a line of the track itself.
    ///
    /// - Throws: `Violation.Problem`.
    mutating func take(_ key: LifeCycleGrammar.Key, _ step: LifeCycleGrammar.Step) throws {
        guard step == .completed else {
            stays[key]?.isMissing = step == .missing
            return
        }
        guard let left = stays.removeValue(forKey: key)?.dwell.keys.min() else { return }
        throw Violation.Problem("\(key): completed, but it has not left zone \(left)")
    }
}
