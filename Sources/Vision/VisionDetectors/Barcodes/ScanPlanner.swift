// SPDX-License-Identifier: Apache-2.0
/// Plans the work of the barcode reader in each frame. This pure state machine has the frames' presentation time as its
/// only clock. Its only measure of work is a model of the decoder's cost, so that a film gives equal reads every time.
///
/// Known symbols are looked for in every frame, where they should be. The whole picture is searched at a duty cycle.
/// Both, and further attempts on places that look like codes but gave nothing, draw on a budget that fills with every
/// frame.
struct ScanPlanner {
    struct Limits {
        /// Nanoseconds of modelled decoding for each pixel of the picture that a frame adds to the budget. `calmFill`
        /// counts while every known symbol is in view and rests, `fill` otherwise. `capacity` is the most that the
        /// budget holds.
        var calmFill: Double
        var fill: Double
        var capacity: Double
        /// The least budget of a search while a known symbol is not in its place, and after `calmInterval` without one.
        var rescue: Double
        /// Seconds between searches of the whole picture: while every known symbol is in view and nothing else moves,
        /// and otherwise.
        var calmInterval: Double
        var searchInterval: Double
        /// While the focus is in view: so that others are known when it is lost.
        var focusInterval = 1.0
        /// Seconds between closer looks at places that were tried in vain, when the searches have used the budget.
        var gatherInterval = 0.1

        /// The capacity is what one search of a picture on its own may spend (CZX_ADAPTIVE).
        static let adaptive = Limits(
            calmFill: 0.8, fill: 2.4, capacity: 6, rescue: 1.5, calmInterval: 0.15, searchInterval: 0.03)
        static let fast = Limits(
            calmFill: 0.4, fill: 0.8, capacity: 1.5, rescue: 0.75, calmInterval: 0.3, searchInterval: 0.06)
    }

    /// The results for the expected symbols of a frame.
    struct Sightings {
        var seen = 0
        var lost = 0
        /// Whether a known symbol moves: others may come with it.
        var symbolsMove = false
        /// Whether the picture has changed where no known symbol is.
        var somethingMoves = false
        /// Whether the only symbol that subscribers want to see is in view.
        var hasFocus = false
    }

    private let limits: Limits
    private var pixels = 0.0
    private var lastScan: Double?
    private var lastGathering: Double?
    private var seesAll = false
    private var isCutShort = false
    /// The budget that further attempts leave for the next search.
    private var reserve = 0.0
    /// Nanoseconds of the decoder's model. Looking at what is known may overdraw it.
    private(set) var budget = 0.0

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// A frame of a stream that goes on.
    mutating func frameArrived() {
        budget = min(budget + (seesAll ? limits.calmFill : limits.fill) * pixels, limits.capacity * pixels)
    }

    /// The first frame of a stream: everything is new.
    mutating func streamBegan(pixels: Int) {
        self.pixels = Double(pixels)
        budget = limits.capacity * self.pixels
        (lastScan, lastGathering) = (nil, nil)
        (seesAll, isCutShort) = (false, false)
        reserve = 0
    }

    /// The budget of a search of the whole picture for unknown symbols, after the known symbols. nil if this frame has
    /// no search.
    mutating func scan(at seconds: Double, _ sightings: Sightings) -> Double? {
        seesAll = sightings.seen > 0 && sightings.lost == 0 && !sightings.symbolsMove
        let isCalm = seesAll && !sightings.somethingMoves
        let interval =
            sightings.hasFocus ? limits.focusInterval : isCalm ? limits.calmInterval : limits.searchInterval
        // Frames of 30 a second come at 0.0333...: an interval that they meet within a millisecond is met.
        let elapsed = lastScan.map { seconds - $0 + 0.001 } ?? .infinity
        let rescue = limits.rescue * pixels
        reserve = isCutShort || sightings.seen > 0 && !isCalm ? rescue : 0
        guard elapsed >= interval else { return nil }
        // New symbols wait no longer than in a calm scene, whatever the attempts on other places have cost.
        let isDue = sightings.lost > 0 || elapsed >= limits.calmInterval && mayOverdraw
        let allowance = isDue ? max(budget, rescue) : budget
        guard allowance > 0 else { return nil }
        lastScan = seconds
        return allowance
    }

    /// A search has ended. The places that it could not pay for come before further attempts.
    mutating func searched(for nanoseconds: Double, of allowance: Double) {
        spent(nanoseconds)
        isCutShort = nanoseconds >= allowance
    }

    /// Whether places that were tried in vain may have a closer look. They do not wait long, whatever the searches have
    /// cost.
    func mayGather(at seconds: Double) -> Bool {
        mayOverdraw || lastGathering.map { seconds - $0 + 0.001 >= limits.gatherInterval } ?? true
    }

    mutating func gathered(at seconds: Double) { lastGathering = seconds }

    mutating func spent(_ nanoseconds: Double) {
        budget = max(budget - nanoseconds, -limits.capacity * pixels)
    }

    /// Whether to look again at a place that gave nothing. A look that makes the next search wait is made only while
    /// nothing else uses the budget.
    func mayRetry(for price: Double) -> Bool {
        budget > reserve && (budget - price > -limits.rescue * pixels || budget > 0.9 * limits.capacity * pixels)
    }

    /// For reading known symbols, which cost little, and for a search that is due.
    var mayOverdraw: Bool { budget > -limits.rescue * pixels }
}
