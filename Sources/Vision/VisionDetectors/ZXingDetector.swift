// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Observations
import Settings

/// Barcodes by ZXing on the frame's own luma: each frame for itself, or a stream's frames with what the frames before
/// have taught.
final class ZXingDetector: Detector {
    /// A symbol that was only located, on the scale on which a read one is certain.
    static let locatedConfidence: Float = 0.5
    /// A symbol whose read is not certain; one that is certain has no confidence.
    static let doubtfulConfidence: Float = 0.9

    private let reader: ZXingReader
    private let region: NormalizedRegion
    private let effort: BarcodeSettings.Effort
    private let filter: ValueFilter
    /// nil: every frame for itself.
    private var stream: StreamReader?
    /// For the next frame; nil: nobody told.
    private var hints: [TrackHint]?
    private var focus: Box?
    private(set) var withheld: [Explanation.Untracked] = []

    init(_ settings: BarcodeSettings) throws(DetectorError) {
        reader = try ZXingReader(formats: settings.formats)
        region = NormalizedRegion(settings.common.roi)
        effort = settings.effort
        filter = ValueFilter(allow: settings.allow, deny: settings.deny)
        guard settings.scan == .stream, effort == .fast || effort == .adaptive else { return }
        stream = StreamReader(
            reader, effort == .fast ? .fast : .adaptive, reportsUndecoded: settings.reportUndecoded,
            filter: filter)
    }

    func expect(_ hints: () -> [TrackHint]) {
        guard stream != nil else { return }
        self.hints = hints().filter { $0.detection.kind == .barcode }
    }

    func setFocus(_ box: Box?) { focus = box }

    func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
        withheld.removeAll()
        let view = LumaView(frame, region)
        guard view.width > 0, view.height > 0 else { return [] }
        defer {
            hints = nil
            withExtendedLifetime(frame) {}
        }
        guard let hints else { return try readAlone(view, frame) }
        let symbols = try stream?.read(view, frame.info, hints: hints, focus: focus) ?? []
        withheld = stream?.withheld ?? []
        let seen = symbols.compactMap { symbol in
            let doubt = symbol.isDoubtful ? Self.doubtfulConfidence : nil
            return detection(
                symbol.barcode, confidence: symbol.barcode.isFollowed ? min(symbol.likeness, 1) : doubt, frame)
        }
        let undecoded = stream?.undecoded ?? []
        return seen
            + undecoded.compactMap { corners in
                let barcode = Barcode(format: nil, raw: nil, bytes: [], corners: corners)
                return detection(barcode, confidence: Self.locatedConfidence, frame)
            }
    }

    private func readAlone(_ view: LumaView, _ frame: Frame) throws(DetectorError) -> [Detection] {
        try reader.read(view.luma, effort: effort).map(view.global).compactMap { barcode in
            if let cause = filter.refusal(of: barcode) {
                withheld.append(Explanation.Untracked(box: barcode.corners.box, confidence: nil, cause: cause))
                return nil
            }
            let doubt = barcode.isDoubtful(in: view) ? Self.doubtfulConfidence : nil
            return detection(barcode, confidence: doubt, frame)
        }
    }

    private func detection(_ barcode: Barcode, confidence: Float?, _ frame: Frame) -> Detection? {
        guard
            let box = Box(around: barcode.corners.points)?.clipped(
                width: Float(frame.width), height: Float(frame.height))
        else { return nil }
        return Detection(box: box, confidence: confidence, content: .barcode(barcode))
    }
}
