// SPDX-License-Identifier: Apache-2.0
import Observations

/// The places of linear codes that no frame shows well enough. Each place is followed by its looks, and its frames are
/// added up until they show the value together.
struct UnreadCodes {
    fileprivate struct Place {
        let pattern: SymbolPattern
        let evidence: SymbolEvidence
        /// The strip across the bars in the last frame, in pixels of the view.
        var strip: Quadrilateral
        var frames = 1
        var nextRead = 1
    }

    /// A place where a search has just failed, or bars that it has not tried, of which most are no code.
    private struct Candidate {
        let box: Box
        let isLikely: Bool
        var age = 0
    }

    /// More wait as candidates, for so many frames.
    static let capacity = 3
    static let mostCandidates = 8, longestWait = 6
    /// Places that begin in one frame, and reads.
    private static let mostReads = 2
    private static let mostFailures = 4
    /// Frames that are added up. A place that they do not show is given up.
    static let mostFrames = 60
    /// After so many frames the margin of a code is more than that of a texture.
    private static let probation = 10
    private static let leastMargin: Float = 0.4
    /// Pixels: UPC-E at 0.8 pixels a module.
    private static let leastWidth: Float = 40, leastHeight: Float = 8
    /// Nanoseconds of the decoder's model: for a look for bars, for a place that begins or one frame more, and for a
    /// read.
    private static let lookPrice = 0.03e6, addPrice = 0.15e6, readPrice = 0.8e6

    private let formats: UInt32
    private var places: [Place] = []
    private var candidates: [Candidate] = []
    /// The middles of the last places that gave nothing, the newest first.
    private var failures: [Point] = []

    /// - Parameter formats: that are wanted, as the reader's mask; 0: all.
    init(formats: UInt32) { self.formats = formats }

    mutating func reset() {
        places.removeAll()
        candidates.removeAll()
        failures.removeAll()
    }

    /// A search has tried `places` (pixels of the view) in vain, the strongest first, and has seen `bars` that it has
    /// not tried.
    mutating func found(_ places: [Box], bars: [Box]) {
        let new = places.map { Candidate(box: $0, isLikely: true) } + bars.map { Candidate(box: $0, isLikely: false) }
        let large = new.filter {
            max($0.box.width, $0.box.height) >= Self.leastWidth && min($0.box.width, $0.box.height) >= Self.leastHeight
        }
        candidates = Array((large + candidates).prefix(Self.mostCandidates))
    }

    /// Adds the frame to every place, begins with a few candidates, and reads a few places.
    ///
    /// A place whose frames are not added for lack of budget would soon be lost. So the frame is added to all or none.
    ///
    /// - Parameter symbols: the boxes of symbols that are in the frame, in pixels of the view.
    /// - Returns: the code (pixels of the view) that the frames now show clearly.
    mutating func look(
        _ view: LumaView, at seconds: Double, besides symbols: [Box], _ planner: inout ScanPlanner
    ) -> Barcode? {
        places.removeAll { $0.strip.box.isCovered(by: symbols) }
        for index in candidates.indices { candidates[index].age += 1 }
        guard planner.mayGather(at: seconds) else { return nil }
        let before = planner.budget
        defer { if planner.budget < before { planner.gathered(at: seconds) } }
        for index in places.indices.reversed() {
            planner.spent(Self.addPrice)
            if !places[index].add(view) { places.remove(at: index) }
        }
        for _ in 0..<Self.mostReads {
            beginOne(in: view, besides: symbols, &planner)
            if let code = readOne(&planner) { return code }
        }
        return nil
    }

    /// The newest candidate comes first. One where a place has just failed comes last.
    private mutating func beginOne(in view: LumaView, besides symbols: [Box], _ planner: inout ScanPlanner) {
        candidates.removeAll { candidate in
            candidate.age > Self.longestWait
                || candidate.box.isCovered(by: symbols + places.map(\.strip.box))
        }
        guard places.count < Self.capacity else { return }
        // A code that comes to others must not wait for the budget that unlikely places use.
        func mayTry(_ candidate: Candidate) -> Bool { candidate.isLikely || symbols.isEmpty }
        while let next = candidates.firstIndex(where: { mayTry($0) && !isNearFailure($0.box) })
            ?? candidates.firstIndex(where: mayTry)
        {
            planner.spent(Self.lookPrice)
            guard let place = Place(at: candidates.remove(at: next).box, in: view) else { continue }
            planner.spent(Self.addPrice - Self.lookPrice)
            return places.append(place)
        }
    }

    private func isNearFailure(_ box: Box) -> Bool {
        failures.contains { abs($0.x - box.center.x) < box.width / 2 && abs($0.y - box.center.y) < box.height }
    }

    /// Each frame more says less, so reads of a place grow rarer.
    private mutating func readOne(_ planner: inout ScanPlanner) -> Barcode? {
        let ready = places.indices.filter { places[$0].frames >= places[$0].nextRead }
        guard let index = ready.min(by: { places[$0].frames < places[$1].frames }) else { return nil }
        let frames = places[index].frames
        planner.spent(Self.readPrice)
        let (symbol, margin) = places[index].evidence.read(formats: formats)
        let isHopeless = margin <= 0 || frames >= Self.probation && margin < Self.leastMargin
        if symbol != nil || isHopeless || frames >= Self.mostFrames {
            let place = places.remove(at: index)
            if symbol == nil { failures = Array(([place.strip.box.center] + failures).prefix(Self.mostFailures)) }
        } else {
            places[index].nextRead = frames + 1 + frames / 3
        }
        guard var symbol else { return nil }
        symbol.evidenceFrames = frames
        return symbol
    }
}

extension UnreadCodes.Place {
    /// Begins with the bars at the box; nil without bars that can be followed.
    fileprivate init?(at box: Box, in view: LumaView) {
        guard let evidence = SymbolEvidence(), let pattern = SymbolPattern(),
            let strip = evidence.begin(at: box, in: view.luma), pattern.learn(strip, in: view.luma)
        else { return nil }
        self.init(pattern: pattern, evidence: evidence, strip: strip)
    }

    /// Looks for the strip near where it was, and adds the frame. False: it is lost.
    fileprivate mutating func add(_ view: LumaView) -> Bool {
        guard let found = pattern.find(near: strip, in: view.luma), found.likeness >= FollowedSymbol.leastLikeness
        else {
            return false
        }
        strip = found.quad
        frames = evidence.add(strip, in: view.luma)
        if frames == 1 { nextRead = 1 }
        return true
    }
}

extension Box {
    /// Whether one of the others lies on much of it, or the other way round.
    fileprivate func isCovered(by others: [Box]) -> Bool {
        others.contains { $0.intersectionArea(self) > 0.4 * min($0.area, area) }
    }
}
