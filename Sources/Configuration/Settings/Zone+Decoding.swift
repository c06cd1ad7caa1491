// SPDX-License-Identifier: Apache-2.0
import Observations

extension Zone {
    /// The `[[zone]]` tables. Their names are in every line of a track that is in them, and each track is held to each:
    /// so they are few.
    static func list(_ reader: TableReader) -> [Zone] {
        let tables = reader.tables("zone")
        if tables.count > most { reader.report("zone", "zones must be at most \(most), not \(tables.count)") }
        var names = Set<String>()
        return tables.map { table in
            let zone = Zone(table)
            if !zone.name.isEmpty, !zone.polygon.isEmpty, !names.insert(zone.name).inserted {
                table.report("name", "name \(quoted(zone.name)) is another zone's too")
            }
            return zone
        }
    }

    private init(_ reader: TableReader) {
        self = .standard
        decode(reader)
        reader.checkKinds(kinds.sorted { $0.rawValue < $1.rawValue })
        reader.finish()
    }
}

extension Zone: KeyedTable {
    package static let standard = Self(name: "", polygon: [])

    package static let keys = rows(
        of: Self.init(name:polygon:kinds:anchor:hysteresis:dwell:),
        .init("name", \.name, .placeName, .live, required: #"such as name = "door""#, "unique"),
        .init(
            "polygon", \.polygon, .polygon, .live,
            required: "its corners, such as polygon = [[0, 0.5], [1, 0.5], [1, 1], [0, 1]]",
            "3 to 64 corners going round in either direction; edges must not cross or touch"),
        .init("kinds", \.kinds, .kinds, .live, "kinds of features that count; `[]`: all"),
        .init(
            "anchor", \.anchor, .choice(), .live,
            "the point of a track's box that has to be inside; `bottom`: the middle of its lower edge"),
        .init(
            "hysteresis", \.hysteresis, .single(0...0.5), .live,
            "distance outside at which a track leaves, of the picture's width and height"),
        .init(
            "dwell", \.dwell, .nanoseconds, .live,
            "a track that was inside for this time is reported as `dwelling`; `\"0s\"`: never"))
}

extension ValueFormat<String> {
    /// The name of a zone, a line or a mask.
    static var placeName: Self {
        nonEmptyText.checked("1 to 64 bytes") { name throws(ValueProblem) in
            guard name.utf8.count <= 64 else { throw .init("must be at most 64 bytes, not \(name.utf8.count)") }
        }
    }
}

extension ValueFormat<Float> {
    static func single(_ range: ClosedRange<Double>) -> Self {
        ValueFormat<Double>.number(range).map(back: { Double("\($0)") }) { Float($0) }
    }
}

extension ValueFormat<Int64> {
    fileprivate static var nanoseconds: Self {
        ValueFormat<Duration>.duration(.zero, to: .seconds(86400)).map(back: { .nanoseconds($0) }) {
            Int64($0 / .nanoseconds(1))
        }
    }
}

extension ValueFormat<[Point]> {
    /// `[[x, y], ...]`
    static var polygon: Self {
        ValueFormat<[Point]>.list(.corner).checked("list of [x, y]") { corners throws(ValueProblem) in
            guard (3...64).contains(corners.count) else {
                throw .init(
                    "must have 3 to 64 corners, not \(corners.count)",
                    suggestion: "such as [[0, 0.5], [1, 0.5], [1, 1]]")
            }
            guard let (first, second) = Polygon.crossing(corners) else { return }
            throw .init(
                "must not cross itself: its edges after corners \(first + 1) and \(second + 1) touch",
                suggestion: "list the corners in their order around the polygon")
        }
    }
}

extension ValueFormat<Point> {
    /// A point of the upright picture.
    static var corner: Self {
        let back = { @Sendable (point: Point) in [Double(point.x), Double(point.y)] }
        return ValueFormat<[Double]>.list(.proportion).map("[x, y]", back: back) { numbers throws(ValueProblem) in
            guard numbers.count == 2 else { throw .init("must be [x, y], not \(numbers.count) numbers") }
            return Point(x: Float(numbers[0]), y: Float(numbers[1]))
        }
    }
}
