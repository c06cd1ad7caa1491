// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// The motion of the whole picture from one frame to the next, derived from the tracks alone, without pixels.
///
/// An offset that all tracks have from their predictions comes from the camera. If most tracks meet a detection, the
/// median offset counts. If the step was too long for that, all pairs of alike boxes vote for the displacement between
/// them. Storage is kept from frame to frame.
struct CameraShift: Sendable {
    private var x: [Float] = []
    private var y: [Float] = []
    private var sorted: [Float] = []
    /// The smoothed velocity of the picture, in pixels per second. Things that move with all others have their velocity
    /// here.
    private(set) var velocity = Point(x: 0, y: 0)
    private var votes = [UInt16](repeating: 0, count: Self.side * Self.side)

    /// Fewer tracks than this do not tell the camera's motion from their own.
    private static let fewestTracks = 4
    /// The share of the tracks that must be matched for their median to count; with fewer, the votes are asked.
    private static let matchedShare: Float = 0.6
    /// The share of the tracks that must agree in a vote.
    private static let votingShare: Float = 0.5
    /// Cells to a side of the voting grid, and a cell's side in sizes of the median track: it reaches 6.4 sizes.
    private static let side = 64
    private static let cell: Float = 0.2
    /// Time constant of the velocity, seconds.
    private static let smoothing = 0.3

    /// - Parameters:
    ///   - candidates: those of high score.
    ///   - matches: the candidate of each region after the first pass.
    /// - Returns: pixels; nil where the tracks do not say that the camera moved.
    mutating func estimate(_ regions: [MatchRegion], _ candidates: ArraySlice<Candidate>, matches: [Int?]) -> Point? {
        forget()
        var tracks = 0
        for (region, match) in zip(regions, matches) where region.isReference {
            tracks += 1
            if let match { add(region.displacement(candidates[match])) }
        }
        guard tracks >= Self.fewestTracks else { return nil }
        if x.count >= Self.fewestTracks, Float(x.count) >= Self.matchedShare * Float(tracks) { return shrunkMedian() }
        let needed = max(Self.fewestTracks, Int((Self.votingShare * Float(tracks)).rounded(.up)), x.count + 1)
        return vote(regions, candidates, needed: needed)
    }

    /// Takes a step's shift into the velocity.
    ///
    /// - Parameter step: seconds; nil at the beginning.
    mutating func follow(_ shift: Point?, step: Double?) {
        guard let step, step > 0 else { return velocity = Point(x: 0, y: 0) }
        let part = Float(1 - exp(-step / Self.smoothing))
        velocity.x += part * ((shift?.x ?? 0) / Float(step) - velocity.x)
        velocity.y += part * ((shift?.y ?? 0) / Float(step) - velocity.y)
    }

    private mutating func forget() {
        x.removeAll(keepingCapacity: true)
        y.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ displacement: Point) {
        x.append(displacement.x)
        y.append(displacement.y)
    }

    /// The median displacement `m`, times `1 - 2 E / |m|^2` or 0, so that chance is no shift (the positive-part
    /// shrinkage of James and Stein 1961). `E` is the expected square of the error of `m`: that of the median of `n`
    /// normal points along two axes, `pi sigma^2 / n`. `sigma` is the points' median distance from `m` over 1.177.
    private mutating func shrunkMedian() -> Point? {
        let median = Point(x: median(of: x), y: median(of: y))
        let count = x.count
        for index in 0..<count { x[index] = hypotf(x[index] - median.x, y[index] - median.y) }
        let sigma = self.median(of: x) / 1.177
        let error = Float.pi * sigma * sigma / Float(count)
        let square = median.x * median.x + median.y * median.y
        guard square > 2 * error else { return nil }
        let part = 1 - 2 * error / square
        return Point(x: median.x * part, y: median.y * part)
    }

    /// The median of the displacements in the fullest block of two by two cells; nil when it holds fewer than `needed`.
    private mutating func vote(_ regions: [MatchRegion], _ candidates: ArraySlice<Candidate>, needed: Int) -> Point? {
        forget()
        for region in regions where region.isReference { x.append(region.size) }
        let width = Self.cell * median(of: x)
        for index in votes.indices { votes[index] = 0 }
        forEachAlikePair(regions, candidates) { shift, displacement in
            guard let (column, row) = Self.place(displacement, width) else { return }
            shift.votes[row * Self.side + column] &+= 1
        }
        var best = (votes: needed - 1, column: 0, row: 0)
        for row in 0..<Self.side - 1 {
            for column in 0..<Self.side - 1 {
                let cell = row * Self.side + column
                let sum =
                    Int(votes[cell]) + Int(votes[cell + 1]) + Int(votes[cell + Self.side])
                    + Int(votes[cell + Self.side + 1])
                if sum > best.votes { best = (sum, column, row) }
            }
        }
        guard best.votes >= needed else { return nil }
        forget()
        forEachAlikePair(regions, candidates) { shift, displacement in
            guard let (column, row) = Self.place(displacement, width) else { return }
            if 0...1 ~= column - best.column, 0...1 ~= row - best.row { shift.add(displacement) }
        }
        return Point(x: median(of: x), y: median(of: y))
    }

    private mutating func forEachAlikePair(
        _ regions: [MatchRegion], _ candidates: ArraySlice<Candidate>, _ body: (inout CameraShift, Point) -> Void
    ) {
        for region in regions where region.isReference {
            for candidate in candidates where region.isAlike(candidate, least: 0.7) {
                body(&self, region.displacement(candidate))
            }
        }
    }

    private static func place(_ displacement: Point, _ width: Float) -> (column: Int, row: Int)? {
        let middle = Float(side / 2)
        let (x, y) = (
            (displacement.x / width).rounded(.down) + middle, (displacement.y / width).rounded(.down) + middle
        )
        guard x >= 0, y >= 0, x < Float(side), y < Float(side) else { return nil }
        return (Int(x), Int(y))
    }

    /// The median of at least one value.
    private mutating func median(of values: [Float]) -> Float {
        sorted.removeAll(keepingCapacity: true)
        sorted.append(contentsOf: values)
        sorted.heapSort(by: <)
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
