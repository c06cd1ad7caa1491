// SPDX-License-Identifier: Apache-2.0
import CZXing

extension FuzzTarget {
    /// A small picture with any luma. Symbols have finite corners, known formats, and text within the arena.
    static let symbol = FuzzTarget(name: "symbol", longest: 4099) { input in
        guard input.count > 3 else { return }
        let pixels = Array(input.dropFirst(3))
        let width = min(pixels.count, 1 + Int(input[0]) % 128)
        let luma = Luma(pixels: pixels, width: width, height: pixels.count / width)
        try luma.read(effort: Int32(input[1] % 3), formats: input[2] & 1 == 0 ? 0 : 1 << UInt32(input[2] >> 1 % 22))
        try luma.readNew()
        try luma.follow()
    }
}

private struct Luma {
    var pixels: [UInt8]
    var width: Int
    var height: Int

    nonisolated(unsafe) private static let reader = czx_reader_create()

    private func with<Result>(_ body: (UnsafePointer<czx_luma>) throws -> Result) throws -> Result {
        try pixels.withUnsafeBufferPointer { bytes in
            var luma = czx_luma(
                pixels: bytes.baseAddress, width: Int32(width), height: Int32(height), stride: Int32(width))
            return try body(&luma)
        }
    }

    func read(effort: Int32, formats: UInt32) throws {
        var options = czx_options(formats: formats, effort: effort, max_symbols: 0)
        try symbols { luma, out, capacity, arena, room in
            czx_read(Self.reader, luma, &options, out, capacity, arena, room, nil, 0)
        }
    }

    func readNew() throws {
        var options = czx_options(formats: 0, effort: 0, max_symbols: 0)
        var places = [czx_rect](repeating: czx_rect(), count: 4)
        var search = czx_search()
        search.budget = 1e6
        search.unread_capacity = 4
        try places.withUnsafeMutableBufferPointer { places in
            search.unread = places.baseAddress
            try symbols { luma, out, capacity, arena, room in
                czx_read_new(Self.reader, luma, &options, &search, out, capacity, arena, room, nil, 0)
            }
        }
        try require((0...4).contains(search.unread_count) && (0...search.unread_count).contains(search.bars_count))
        for place in places.prefix(Int(search.unread_count)) {
            try require(place.left < place.right && place.top < place.bottom, "\(place)")
            var place = place
            try with { luma in try require((0...1).contains(czx_looks_like_code(luma, &place)), "\(place)") }
        }
    }

    /// Learns a place, and finds it in the same picture.
    func follow() throws {
        guard let pattern = czx_pattern_create(), let evidence = czx_evidence_create() else { return }
        defer {
            czx_pattern_destroy(pattern)
            czx_evidence_destroy(evidence)
        }
        let (right, bottom) = (Float(width), Float(height))
        var corners: [Float] = [0, 0, right, 0, right, bottom, 0, bottom]
        var found = [Float](repeating: 0, count: 8)
        try with { luma in
            if czx_pattern_learn(pattern, luma, corners) == 1 {
                let likeness = czx_pattern_find(pattern, luma, corners, &found)
                try require(likeness <= 1.001 && found.allSatisfy(\.isFinite), "\(likeness) at \(found)")
            }
            var place = czx_rect(left: 0, top: 0, right: Int32(width), bottom: Int32(height))
            guard czx_evidence_begin(evidence, luma, &place, &corners) == 1 else { return }
            try require(corners.allSatisfy(\.isFinite), "\(corners)")
            for _ in 0..<2 { try require(czx_evidence_add(evidence, luma, corners) >= 0) }
        }
        try symbols { _, out, _, arena, room in
            var margin: Float = 0
            return czx_evidence_read(evidence, 0, out, arena, room, &margin)
        }
    }

    private func symbols(
        _ read: (
            UnsafePointer<czx_luma>, UnsafeMutablePointer<czx_symbol>?, Int32, UnsafeMutablePointer<UInt8>?, Int
        ) -> Int32
    ) throws {
        var found = [czx_symbol](repeating: czx_symbol(), count: 4)
        var arena = [UInt8](repeating: 0, count: 4096)
        let (room, capacity) = (arena.count, Int32(found.count))
        let count = try with { luma in
            found.withUnsafeMutableBufferPointer { out in
                arena.withUnsafeMutableBufferPointer { read(luma, out.baseAddress, capacity, $0.baseAddress, room) }
            }
        }
        try require(count <= capacity && (count >= 0 || count == CZX_UNSUPPORTED_FORMAT), "status \(count)")
        for symbol in found.prefix(max(0, Int(count))) {
            let corners = withUnsafeBytes(of: symbol.corners) { Array($0.bindMemory(to: Float.self)) }
            try require(corners.allSatisfy { $0.isFinite && abs($0) < 100_000 }, "\(corners)")
            try require((0..<360).contains(symbol.orientation), "\(symbol.orientation)")
            try require(symbol.format.nonzeroBitCount == 1 && symbol.format < 1 << 22, "\(symbol.format)")
            for (offset, length) in [
                (symbol.text_offset, symbol.text_length), (symbol.bytes_offset, symbol.bytes_length),
            ] {
                try require(Int(offset) + Int(length) <= room, "\(offset) + \(length)")
            }
            let text = arena[Int(symbol.text_offset)...].prefix(Int(symbol.text_length))
            try require(String(validating: text, as: UTF8.self) != nil, "\(text)")
        }
    }
}
