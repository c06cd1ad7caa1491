// SPDX-License-Identifier: Apache-2.0
import CZXing
import Detectors
import Observations
import Settings

/// The reader behind its C interface. All coordinates are pixels of the luma that is given. Confined to one thread.
final class ZXingReader {
    private static let capacity = 64
    private static let arenaBytes = 256 << 10

    private let reader: OpaquePointer
    /// The formats to read, as the interface's mask; 0: all formats.
    let formats: UInt32
    private var symbols = [czx_symbol](repeating: czx_symbol(), count: ZXingReader.capacity)
    private var arena = [UInt8](repeating: 0, count: ZXingReader.arenaBytes)
    private var unread = [czx_rect](repeating: czx_rect(), count: PlaceLedger.capacity)

    /// - Parameter formats: empty for all.
    init(formats: Set<Barcode.Format>) throws(DetectorError) {
        guard let reader = czx_reader_create() else { throw DetectorError("no memory for the barcode reader") }
        self.reader = reader
        self.formats = formats.reduce(0) { $0 | $1.mask }
    }

    deinit { czx_reader_destroy(reader) }

    /// Everything in one picture, for its own sake.
    func read(_ luma: czx_luma, effort: BarcodeSettings.Effort) throws(DetectorError) -> [Barcode] {
        var luma = luma
        var options = czx_options(formats: formats, effort: effort.number, max_symbols: 0)
        return try collect { text, capacity in
            czx_read(
                reader, &luma, &options, &symbols, Int32(symbols.count), &arena, arena.count, text, capacity)
        }
    }

    /// Searches for unknown symbols.
    ///
    /// - Parameters:
    ///   - hopeless: places that gave nothing and look as they did then.
    ///   - changed: places that gave nothing and look different now.
    ///   - budget: nanoseconds of the decoder's model; afterwards, the rest.
    /// - Returns: the symbols, places that were tried in vain, and bars that were not tried.
    func readNew(
        _ luma: czx_luma, known: [Quadrilateral], hopeless: [Box], changed: [Box], budget: inout Double
    ) throws(DetectorError) -> (symbols: [Barcode], unread: [Box], bars: [Box]) {
        var luma = luma
        var options = czx_options(formats: formats, effort: Int32(CZX_ADAPTIVE), max_symbols: 0)
        let corners = known.flatMap(\.points).flatMap { [$0.x, $0.y] }
        let rects = (hopeless + changed).map(czx_rect.init)
        var places: [Box] = []
        var bars = 0
        let found = try collect { text, capacity in
            corners.withUnsafeBufferPointer { corners in
                rects.withUnsafeBufferPointer { rects in
                    unread.withUnsafeMutableBufferPointer { unread in
                        var search = czx_search(
                            known: corners.baseAddress, known_count: Int32(known.count),
                            hopeless: rects.baseAddress, hopeless_count: Int32(rects.count),
                            changed_count: Int32(changed.count), budget: budget,
                            unread: unread.baseAddress, unread_capacity: Int32(unread.count),
                            unread_count: 0, bars_count: 0)
                        let count = czx_read_new(
                            reader, &luma, &options, &search, &symbols, Int32(symbols.count), &arena, arena.count,
                            text, capacity)
                        budget = search.budget
                        places = unread.prefix(Int(search.unread_count)).map(Box.init)
                        bars = Int(search.bars_count)
                        return count
                    }
                }
            }
        }
        return (found, Array(places.dropLast(bars)), Array(places.suffix(bars)))
    }

    /// Reads one place in one way.
    ///
    /// - Parameters:
    ///   - format: the expected format; nil: all wanted formats.
    ///   - angle: the angle of the reading line in degrees clockwise, if known.
    func read(
        _ luma: czx_luma, at box: Box, _ way: LookingWay, format: Barcode.Format? = nil, angle: Float = 0
    ) throws(DetectorError) -> [Barcode] {
        var luma = luma
        var options = czx_options(
            formats: format?.mask ?? formats, effort: Int32(CZX_ADAPTIVE), max_symbols: 0)
        var place = czx_rect(box)
        return try collect { text, capacity in
            czx_read_place(
                reader, &luma, &options, &place, angle, way.rawValue, &symbols, Int32(symbols.count), &arena,
                arena.count, text, capacity)
        }
    }

    /// Whether a place that was not read is printed like a code.
    static func looksLikeCode(_ box: Box, in luma: czx_luma) -> Bool {
        var (luma, place) = (luma, czx_rect(box))
        return czx_looks_like_code(&luma, &place) == 1
    }

    /// The cost of `read(at:)` by the decoder's model, in nanoseconds: a little more for all formats than for a known
    /// one.
    static func price(of box: Box, format: Barcode.Format?, way: LookingWay) -> Double {
        Double(box.area) * (way == .enlarged ? 4 : 1) * (format == nil ? 16 : 8)
    }

    private func collect(
        _ read: (UnsafeMutablePointer<CChar>, Int) -> Int32
    ) throws(DetectorError) -> [Barcode] {
        var count: Int32 = 0
        let complaint = withErrorText { text, capacity in count = read(text, capacity) }
        guard count >= 0 else { throw DetectorError("the barcode reader failed: \(complaint)") }
        return symbols.prefix(Int(count)).compactMap { Barcode($0, arena: arena) }
    }
}

extension Barcode {
    /// - Parameter arena: holds its text and bytes.
    init?(_ symbol: czx_symbol, arena: [UInt8]) {
        guard let format = Barcode.Format(mask: symbol.format) else { return nil }
        let c = symbol.corners
        let corners = Quadrilateral(coordinates: [c.0, c.1, c.2, c.3, c.4, c.5, c.6, c.7])
        func bytes(_ offset: UInt32, _ length: UInt32) -> ArraySlice<UInt8> {
            arena[Int(offset)..<Int(offset) + Int(length)]
        }
        /// A zero-terminated field of a C structure.
        func string<Field>(_ field: Field) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        let (level, addOn) = (string(symbol.ec_level), string(symbol.add_on))
        self.init(
            format: format,
            raw: symbol.is_text != 0
                ? String(decoding: bytes(symbol.text_offset, symbol.text_length), as: UTF8.self) : nil,
            bytes: Array(bytes(symbol.bytes_offset, symbol.bytes_length)), addOn: addOn.isEmpty ? nil : addOn,
            corners: corners,
            orientation: symbol.orientation > 180 ? symbol.orientation - 360 : symbol.orientation,
            symbologyIdentifier: string(symbol.symbology_id), errorCorrectionLevel: level.isEmpty ? nil : level,
            mirrored: symbol.mirrored != 0, inverted: symbol.inverted != 0)
    }
}

extension Box {
    fileprivate init(_ rect: czx_rect) {
        self.init(
            x: Float(rect.left), y: Float(rect.top), width: Float(rect.right - rect.left),
            height: Float(rect.bottom - rect.top))
    }
}

extension czx_rect {
    /// The whole pixels that the box touches. Boxes far outside of any picture are brought to its neighbourhood.
    init(_ box: Box) {
        func pixel(_ value: Float) -> Int32 { Int32(min(max(value, -100_000), 100_000)) }
        self.init(
            left: pixel(box.x.rounded(.down)), top: pixel(box.y.rounded(.down)), right: pixel(box.maxX.rounded(.up)),
            bottom: pixel(box.maxY.rounded(.up)))
    }
}

extension BarcodeSettings.Effort {
    fileprivate var number: Int32 {
        switch self {
        case .fast: Int32(CZX_FAST)
        case .adaptive: Int32(CZX_ADAPTIVE)
        case .thorough: Int32(CZX_THOROUGH)
        case .hard: Int32(CZX_HARD)
        }
    }
}
