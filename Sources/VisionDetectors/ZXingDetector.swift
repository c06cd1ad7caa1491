import CZXing
import Detectors
import Frames
import Observations
import Settings

/// Barcodes by ZXing on the frame's own luma.
final class ZXingDetector: Detector {
    private static let capacity = 64
    private static let arenaBytes = 256 << 10

    private let reader: OpaquePointer
    private let region: NormalizedRegion
    private var focus = FocusWindow()
    private let effort: Int32
    private var options = czx_options()
    private var symbols = [czx_symbol](repeating: czx_symbol(), count: ZXingDetector.capacity)
    private var arena = [UInt8](repeating: 0, count: ZXingDetector.arenaBytes)

    /// - Parameter reader: owned from now on.
    init(_ reader: OpaquePointer, _ settings: BarcodeSettings) {
        self.reader = reader
        region = NormalizedRegion(settings.common.roi)
        options.formats = settings.formats.reduce(0) { $0 | $1.mask }
        effort =
            switch settings.effort {
            case .fast: Int32(CZX_FAST)
            case .adaptive: Int32(CZX_ADAPTIVE)
            case .hard: Int32(CZX_HARD)
            }
    }

    deinit { czx_reader_destroy(reader) }

    func setFocus(_ box: Box?) -> Bool {
        focus.set(box)
        return true
    }

    func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
        if let part = focus.part(of: region, in: frame.info) {
            // A symbol that was read a frame ago is read again without effort, or the whole picture gets all of it.
            let near = try read(part, of: frame, effort: Int32(CZX_FAST))
            if focus.isMet(by: near) { return near }
        }
        return try read(region, of: frame, effort: effort)
    }

    private func read(
        _ region: NormalizedRegion, of frame: Frame, effort: Int32
    ) throws(DetectorError) -> [Detection] {
        options.effort = effort
        let view = LumaView(frame, region)
        guard view.width > 0, view.height > 0 else { return [] }
        var luma = czx_luma(
            pixels: view.plane.base, width: Int32(view.width), height: Int32(view.height),
            stride: Int32(view.plane.stride))
        var count: Int32 = 0
        let complaint = withErrorText { text, capacity in
            count = czx_read(
                reader, &luma, &options, &symbols, Int32(symbols.count), &arena, arena.count, text, capacity)
        }
        withExtendedLifetime(frame) {}
        guard count >= 0 else { throw DetectorError("the barcode reader failed: \(complaint)") }
        return symbols.prefix(Int(count)).compactMap { detection($0, view, frame) }
    }

    private func detection(_ symbol: czx_symbol, _ view: LumaView, _ frame: Frame) -> Detection? {
        guard let format = Barcode.Format(mask: symbol.format) else { return nil }
        let c = symbol.corners
        func point(_ x: Float, _ y: Float) -> Point { Point(x: x + Float(view.x), y: y + Float(view.y)) }
        let corners = Quadrilateral(
            topLeft: point(c.0, c.1), topRight: point(c.2, c.3), bottomRight: point(c.4, c.5),
            bottomLeft: point(c.6, c.7))
        guard let box = Box(around: corners.points)?.clipped(width: Float(frame.width), height: Float(frame.height))
        else {
            return nil
        }
        func bytes(_ offset: UInt32, _ length: UInt32) -> ArraySlice<UInt8> {
            arena[Int(offset)..<Int(offset) + Int(length)]
        }
        let level = string(symbol.ec_level)
        let barcode = Barcode(
            format: format,
            raw: symbol.is_text != 0
                ? String(decoding: bytes(symbol.text_offset, symbol.text_length), as: UTF8.self) : nil,
            bytes: Array(bytes(symbol.bytes_offset, symbol.bytes_length)), corners: corners,
            orientation: symbol.orientation > 180 ? symbol.orientation - 360 : symbol.orientation,
            symbologyIdentifier: string(symbol.symbology_id), errorCorrectionLevel: level.isEmpty ? nil : level,
            mirrored: symbol.mirrored != 0, inverted: symbol.inverted != 0)
        return Detection(box: box, confidence: nil, content: .barcode(barcode))
    }

    /// A zero-terminated field of a C structure.
    private func string<Field>(_ field: Field) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// A region of the luma plane alone; unlike chroma it has no need of even pixels.
struct LumaView {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
    let plane: Plane

    init(_ frame: Frame, _ region: NormalizedRegion) {
        x = min(Int(region.x * Double(frame.width)), frame.width - 1)
        y = min(Int(region.y * Double(frame.height)), frame.height - 1)
        width = min(Int(((region.x + region.width) * Double(frame.width)).rounded(.up)), frame.width) - x
        height = min(Int(((region.y + region.height) * Double(frame.height)).rounded(.up)), frame.height) - y
        plane = frame.luma.offset(x: x, y: y)
    }
}
