// SPDX-License-Identifier: Apache-2.0
import CZXing
import Observations

/// A symbol that a live track stands for, as the stream reader keeps it from frame to frame.
struct FollowedSymbol {
    /// Seconds between reads of a symbol that is followed without trouble: so long, at most, is another symbol that
    /// looks the same taken for it.
    static let readInterval = 0.5
    /// Correlation with the read picture from which on the symbol is there. Other symbols of its kind reach 0.3 to 0.5.
    /// The symbol itself reaches 0.6 and more where motion blurs it.
    static let leastLikeness: Float = 0.6
    /// A likeness that falls by so much may be another symbol.
    static let suspiciousFall: Float = 0.12
    /// Doubtful reads in turn that make a symbol another one although it looks as it did.
    private static let rivalReads = 3
    /// Below, it has come to look different: it is learned again when it is read.
    static let familiarLikeness: Float = 0.9

    /// With the corners of the newest frame it was in, in pixels of the frame.
    private(set) var barcode: Barcode
    private let pattern: SymbolPattern?
    private var canBeFollowed = false
    private var usualLikeness: Float = 1
    private(set) var likeness: Float = 1
    /// Whether the last read alone does not say what it is.
    private(set) var isDoubtful: Bool
    /// The other value of the last reads in this place, and the number of such reads in turn.
    private var rival: (bytes: [UInt8], reads: Int) = ([], 0)
    private var schedule: AttemptSchedule
    private var isTroubled = false
    private var goodWay: LookingWay

    var box: Box { barcode.corners.box }
    /// Where bars may be the symbol's own. Only a part of the height may be known of a tall linear symbol. A crease or
    /// a reflection cuts it off from the rest.
    var surroundings: Box {
        let room = isLinear ? min(box.width, box.height) : 0
        return box.grown(byX: room, y: room)
    }
    private var isLinear: Bool { barcode.format?.isLinear ?? false }

    /// Whether a read with the same payload is of the same bars.
    func isPart(_ other: Barcode) -> Bool {
        guard isLinear, other.bytes == barcode.bytes else { return false }
        let q = barcode.corners
        let (x, y) = (
            (q.topRight.x + q.bottomRight.x - q.topLeft.x - q.bottomLeft.x) / 2,
            (q.topRight.y + q.bottomRight.y - q.topLeft.y - q.bottomLeft.y) / 2
        )
        let squared = x * x + y * y
        let (from, to) = (box.center, other.corners.box.center)
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        return abs(dx * x + dy * y) < 0.3 * squared && abs(dy * x - dx * y) < 0.5 * squared
    }

    init(_ barcode: Barcode, _ way: LookingWay = .asItIs, in view: LumaView, at seconds: Double) {
        self.barcode = barcode
        pattern = SymbolPattern()
        goodWay = way == .asItIs && barcode.inverted ? .inverted : way
        isDoubtful = barcode.evidenceFrames == nil && barcode.isDoubtful(in: view)
        schedule = AttemptSchedule(due: seconds + Self.readInterval)
        canBeFollowed = pattern?.learn(view.local(barcode.corners), in: view.luma) ?? false
    }

    /// Looks for it, moved by `offset`, without reading it. Whether it is there.
    mutating func follow(in view: LumaView, movedBy offset: Point, at seconds: Double) -> Bool {
        barcode.isFollowed = true
        let start = view.local(barcode.corners.moved(by: offset))
        guard canBeFollowed, let found = pattern?.find(near: start, in: view.luma) else {
            likeness = 0
            beTroubled(at: seconds)
            return false
        }
        likeness = found.likeness
        if likeness < usualLikeness - Self.suspiciousFall { beTroubled(at: seconds) }
        guard likeness >= Self.leastLikeness else { return false }
        place(view.global(found.quad))
        return true
    }

    /// The way to read it now; nil: not now.
    mutating func wayToRead(at seconds: Double, isWanted: Bool) -> LookingWay? {
        if isWanted, !isTroubled { return goodWay }
        guard schedule.isDue(at: seconds) else { return nil }
        let way = schedule.attempt(at: seconds)
        return way == .asItIs ? goodWay : way
    }

    /// It was read in this frame, at `read`'s corners.
    ///
    /// - Parameter isThere: whether `follow` found it; its corners are then quieter than the reader's, and kept while
    ///   the two agree.
    mutating func wasRead(_ read: Barcode, _ way: LookingWay, isThere: Bool, in view: LumaView, at seconds: Double) {
        isDoubtful = read.isDoubtful(in: view)
        rival.reads = 0
        let corners = barcode.corners
        let agree = isThere && likeness >= 0.75 && isSame(corners, read.corners)
        barcode = read
        barcode.isFollowed = false
        if agree { place(corners) }
        if !agree || likeness < Self.familiarLikeness {
            canBeFollowed = pattern?.learn(view.local(barcode.corners), in: view.luma) ?? false
            usualLikeness = 1
        } else {
            usualLikeness = likeness
        }
        if !agree { likeness = 1 }
        goodWay = way
        isTroubled = false
        schedule = AttemptSchedule(due: seconds + Self.readInterval)
    }

    /// Something else was read in its place, while it looks as it did. Whether it is another symbol now: a misread is
    /// not repeated.
    mutating func isReplaced(by read: Barcode, in view: LumaView, at seconds: Double) -> Bool {
        guard read.isDoubtful(in: view) else { return true }
        rival = (read.bytes, read.bytes == rival.bytes ? rival.reads + 1 : 1)
        beTroubled(at: seconds)
        return rival.reads >= Self.rivalReads
    }

    private mutating func beTroubled(at seconds: Double) {
        guard !isTroubled else { return }
        isTroubled = true
        schedule = AttemptSchedule(due: seconds)
    }

    mutating func place(_ corners: Quadrilateral) {
        barcode.corners = corners
        barcode.orientation = corners.orientation
    }

    /// Whether two places of it differ by no more than a reader's uncertainty. The height of a linear symbol is the
    /// least certain of all; the larger one is right.
    private func isSame(_ followed: Quadrilateral, _ read: Quadrilateral) -> Bool {
        let size = followed.area.squareRoot()
        let share: Float = isLinear ? 0.35 : 0.1
        return followed.largestOffset(from: read) <= max(3, share * size) && read.area <= 1.2 * followed.area
    }
}

extension Barcode.Format {
    var isLinear: Bool {
        switch self {
        case .qrCode, .microQRCode, .rectangularMicroQRCode, .aztec, .dataMatrix, .pdf417, .microPDF417, .maxiCode:
            false
        case .code128, .code39, .code93, .codabar, .itf, .telepen, .ean8, .ean13, .upcA, .upcE, .dataBar,
            .dataBarExpanded, .dataBarLimited, .dxFilmEdge:
            true
        }
    }
}
