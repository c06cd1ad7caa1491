// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Observations

/// Reads the symbols of a stream's frames, each with the knowledge from the frames before. Known symbols come first, at
/// their expected places; then, at a duty cycle, new ones; then places that resisted, in other ways. `ScanPlanner` says
/// when.
struct StreamReader {
    private let reader: ZXingReader
    private let filter: ValueFilter
    private var planner: ScanPlanner
    private var ledger = PlaceLedger()
    private var signature = SceneSignature()
    private var symbols: [FollowedSymbol] = []
    private var places: UndecodedPlaces?
    private var unreadCodes: UnreadCodes
    private var last: FrameInfo?
    /// The symbols of the last frame that the settings leave out.
    private(set) var withheld: [Explanation.Untracked] = []
    /// Places of the last frame that look like a code and are not read.
    var undecoded: [Quadrilateral] { places?.corners ?? [] }

    /// Attempts on places that resist, a frame.
    private static let retries = 2
    /// How far a symbol that moves has moved from frame to frame, as a share of the picture's longer side.
    private static let leastStep: Float = 0.0015
    /// Seconds between two frames of one scene.
    private static let longestStep = 5.0

    /// - Parameters:
    ///   - reportsUndecoded: whether `undecoded` is filled.
    ///   - filter: which of the symbols that are read are to be reported.
    init(_ reader: ZXingReader, _ limits: ScanPlanner.Limits, reportsUndecoded: Bool, filter: ValueFilter) {
        self.reader = reader
        self.filter = filter
        planner = ScanPlanner(limits)
        unreadCodes = UnreadCodes(formats: reader.formats)
        places = reportsUndecoded ? UndecodedPlaces() : nil
    }

    /// - Parameters:
    ///   - hints: of every live track.
    ///   - focus: the last box of the only track that subscribers see; nil: they see all.
    /// - Returns: the symbols in the frame: read or followed.
    mutating func read(
        _ view: LumaView, _ frame: FrameInfo, hints: [TrackHint], focus: Box? = nil
    ) throws(DetectorError) -> [FollowedSymbol] {
        begin(frame, view)
        withheld.removeAll()
        signature.update(view)
        var sight = Sight(view: view, seconds: frame.seconds)
        try lookAtExpected(hints, focus, &sight)
        sight.sightings.somethingMoves = signature.hasChanged(besides: sight.seen.map { view.local($0.box) })
        // A symbol may grow out of its place.
        ledger.advance(to: frame.seconds) { signature.hasChanged($0.widened()) }
        for symbol in sight.seen { ledger.resolved(view.local(symbol.box)) }
        if let budget = planner.scan(at: frame.seconds, sight.sightings) { try scan(&sight, budget) }
        if !sight.sightings.hasFocus {
            let known = (sight.seen + sight.lost).map { view.local($0.surroundings) }
            if let code = unreadCodes.look(view, at: frame.seconds, besides: known, &planner) {
                take([code], .asItIs, &sight)
            }
            try retry(&sight)
        }
        symbols = sight.seen + sight.lost
        places?.follow(in: view, besides: symbols.map(\.box))
        return sight.seen
    }

    /// The findings in the current frame so far.
    private struct Sight {
        var view: LumaView
        var seconds: Double
        var seen: [FollowedSymbol] = []
        var lost: [FollowedSymbol] = []
        var sightings = ScanPlanner.Sightings()

        /// Whether something that says the same is seen there already.
        func has(_ barcode: Barcode) -> Bool {
            seen.contains {
                $0.barcode.bytes == barcode.bytes
                    && ($0.box.intersectionOverUnion(barcode.corners.box) > 0.4 || $0.isPart(barcode))
            }
        }

        /// Whether something else is seen there already.
        func contradicts(_ barcode: Barcode) -> Bool {
            seen.contains {
                $0.barcode.bytes != barcode.bytes && $0.box.intersectionOverUnion(barcode.corners.box) > 0.4
            }
        }
    }

    private mutating func begin(_ frame: FrameInfo, _ view: LumaView) {
        defer { last = frame }
        if let last, frame.epoch == last.epoch, frame.width == last.width, frame.height == last.height,
            frame.seconds >= last.seconds, frame.seconds - last.seconds <= Self.longestStep
        {
            planner.frameArrived()
            return
        }
        symbols = []
        places?.reset()
        unreadCodes.reset()
        ledger.reset()
        planner.streamBegan(pixels: view.width * view.height)
    }

    // MARK: What is known

    private mutating func lookAtExpected(
        _ hints: [TrackHint], _ focus: Box?, _ sight: inout Sight
    ) throws(DetectorError) {
        for hint in hints {
            guard case .barcode(let known) = hint.detection.content,
                let place = symbols.firstIndex(where: { $0.barcode.corners == known.corners })
            else { continue }
            let symbol = symbols.remove(at: place)
            // A value in doubt gives way to a known one in its place.
            if hint.wantsReads, sight.contradicts(symbol.barcode) { continue }
            let isThere = try look(at: symbol, hint, &sight)
            if isThere, hint.detection.box == focus { sight.sightings.hasFocus = true }
        }
    }

    private mutating func look(
        at known: FollowedSymbol, _ hint: TrackHint, _ sight: inout Sight
    ) throws(DetectorError) -> Bool {
        var symbol = known
        let (from, to) = (hint.detection.box.center, hint.box.center)
        let offset = Point(x: to.x - from.x, y: to.y - from.y)
        // A thing at rest stays in its place.
        var isThere =
            (symbol.follow(in: sight.view, movedBy: offset, at: sight.seconds)
                || symbol.follow(in: sight.view, movedBy: Point(x: 0, y: 0), at: sight.seconds))
            && !sight.has(symbol.barcode)
        if planner.mayOverdraw, let way = symbol.wayToRead(at: sight.seconds, isWanted: hint.wantsReads) {
            let box = isThere ? symbol.box.widened() : hint.box.widened(by: hint.margin)
            let format = symbol.barcode.format
            let found = try reader.read(
                sight.view.luma, at: sight.view.local(box), way, format: format,
                angle: symbol.barcode.orientation)
            planner.spent(ZXingReader.price(of: box, format: format, way: way))
            for read in found.map(sight.view.global) where isWanted(read) && !sight.has(read) {
                if read.bytes == symbol.barcode.bytes {
                    symbol.wasRead(read, way, isThere: isThere, in: sight.view, at: sight.seconds)
                    isThere = true
                } else if hint.wantsReads || !isThere
                    || symbol.isReplaced(by: read, in: sight.view, at: sight.seconds)
                {
                    // Another symbol has taken its place.
                    isThere = isThere && symbol.box.intersectionOverUnion(read.corners.box) < 0.3
                    sight.seen.append(FollowedSymbol(read, way, in: sight.view, at: sight.seconds))
                }
            }
        }
        if isThere {
            sight.seen.append(symbol)
            sight.sightings.seen += 1
            let (before, now) = (known.box.center, symbol.box.center)
            let moved = max(abs(now.x - before.x), abs(now.y - before.y))
            if moved > Self.leastStep * Float(max(sight.view.width, sight.view.height)) {
                sight.sightings.symbolsMove = true
            }
        } else {
            // As it was, so that the track's next hint is known for this symbol's.
            symbol.place(known.barcode.corners)
            sight.lost.append(symbol)
            sight.sightings.lost += 1
        }
        return isThere
    }

    /// Whether subscribers may see it.
    private mutating func isWanted(_ barcode: Barcode) -> Bool {
        guard let cause = filter.refusal(of: barcode) else { return true }
        withheld.append(Explanation.Untracked(box: barcode.corners.box, confidence: nil, cause: cause))
        return false
    }

    // MARK: What is new

    private mutating func scan(_ sight: inout Sight, _ allowance: Double) throws(DetectorError) {
        var budget = allowance
        let (found, unread, bars) = try reader.readNew(
            sight.view.luma, known: sight.seen.map { sight.view.local($0.barcode.corners) },
            hopeless: ledger.boxes(changed: false), changed: ledger.boxes(changed: true), budget: &budget)
        planner.searched(for: allowance - budget, of: allowance)
        take(found, .asItIs, &sight)
        let known = (sight.seen + sight.lost).map(\.box)
        for box in unread where ZXingReader.looksLikeCode(box, in: sight.view.luma) {
            if places == nil {
                withheld.append(
                    Explanation.Untracked(box: sight.view.global(box), confidence: nil, cause: .undecoded))
            }
            places?.found(box, in: sight.view, besides: known)
        }
        unreadCodes.found(unread, bars: bars)
        ledger.failed(unread, at: sight.seconds)
    }

    // MARK: What resists

    private mutating func retry(_ sight: inout Sight) throws(DetectorError) {
        for _ in 0..<Self.retries {
            guard
                let (box, way) = ledger.next(
                    at: sight.seconds,
                    where: { planner.mayRetry(for: ZXingReader.price(of: $0.widened(), format: nil, way: $1)) })
            else { return }
            let place = box.widened()
            let found = try reader.read(sight.view.luma, at: place, way)
            planner.spent(ZXingReader.price(of: place, format: nil, way: way))
            take(found, way, &sight)
        }
    }

    private mutating func take(_ found: [Barcode], _ way: LookingWay, _ sight: inout Sight) {
        for read in found.map(sight.view.global) {
            guard isWanted(read) else {
                ledger.failed([sight.view.local(read.corners.box)], at: sight.seconds)
                continue
            }
            if sight.has(read) { continue }
            let symbol = FollowedSymbol(read, way, in: sight.view, at: sight.seconds)
            ledger.resolved(sight.view.local(symbol.box))
            sight.seen.append(symbol)
        }
    }
}
