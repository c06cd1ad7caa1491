import Observations

extension Zone {
    /// The `[[zone]]` tables. Their names are in every line of a track that is in them, and each track is held to each: so they are few.
    static func list(_ reader: TableReader) -> [Zone] {
        let tables = reader.tables("zone")
        if tables.count > most { reader.report("zone", "zones must be at most \(most), not \(tables.count)") }
        var names = Set<String>()
        return tables.compactMap { table in
            guard let zone = Zone(table) else { return nil }
            if !names.insert(zone.name).inserted {
                table.report("name", "name \(quoted(zone.name)) is another zone's too")
            }
            return zone
        }
    }

    private init?(_ reader: TableReader) {
        let name = reader.value("name", .zoneName)
        if !reader.has("name") { reader.report("name", "name is missing", suggestion: "such as name = \"door\"") }
        let polygon = reader.value("polygon", .polygon)
        if !reader.has("polygon") {
            reader.report(
                "polygon", "polygon is missing",
                suggestion: "its corners, such as polygon = [[0, 0.5], [1, 0.5], [1, 1], [0, 1]]")
        }
        self.init(name: name ?? "", polygon: polygon ?? [])
        if let kinds = reader.value("kinds", .list(ValueFormat<FeatureKind>.choice())) { self.kinds = Set(kinds) }
        reader.read("anchor", .choice(), into: &anchor)
        if let distance = reader.value("hysteresis", .number(0...0.5)) { hysteresis = Float(distance) }
        if let dwell = reader.value("dwell", .duration(.zero...(.seconds(86400)))) {
            self.dwell = Int64(dwell / .nanoseconds(1))
        }
        reader.finish()
        if name == nil || polygon == nil { return nil }
    }
}

extension ValueFormat<String> {
    fileprivate static var zoneName: Self {
        nonEmptyText.map { name throws(ValueProblem) in
            guard name.utf8.count <= 64 else { throw .init("must be at most 64 bytes, not \(name.utf8.count)") }
            return name
        }
    }
}

extension ValueFormat<[Point]> {
    /// `[[x, y], ...]`
    fileprivate static var polygon: Self {
        ValueFormat<[Point]>.list(.corner).map { corners throws(ValueProblem) in
            guard (3...64).contains(corners.count) else {
                throw .init(
                    "must have 3 to 64 corners, not \(corners.count)",
                    suggestion: "such as [[0, 0.5], [1, 0.5], [1, 1]]")
            }
            guard let (first, second) = Polygon.crossing(corners) else { return corners }
            throw .init(
                "must not cross itself: its edges after corners \(first + 1) and \(second + 1) touch",
                suggestion: "give the corners in the order in which they are met going round")
        }
    }
}

extension ValueFormat<Point> {
    fileprivate static var corner: Self {
        ValueFormat<[Double]>.list(.proportion).map { numbers throws(ValueProblem) in
            guard numbers.count == 2 else { throw .init("must be [x, y], not \(numbers.count) numbers") }
            return Point(x: Float(numbers[0]), y: Float(numbers[1]))
        }
    }
}
