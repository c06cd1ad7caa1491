// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import GStreamerSource
import Observations
import Settings
import TestScene
import VisionDetectors

/// The built-in scene: a photographed face and three real symbols. They enter, move, hide for a moment and leave within
/// ten seconds.
package enum DemoScene {
    /// The contents of the symbols.
    package static let qrText = "https://glimpse.example/demo"
    package static let eanText = "4006381333931"
    package static let dataMatrixText = "GLIMPSE-DEMO-0042"
    /// The period of the scene in seconds.
    package static let period = 10.0

    /// - Parameter picture: the path of the photograph; without it the scene has only symbols.
    package static func make(picture: String?) throws(SourceError) -> MovingScene {
        var actors: [MovingScene.Actor] = []
        if let picture { actors.append(try face(picture)) }
        do {
            actors.append(
                .init(
                    sprite: try symbol(qrText, .qrCode, scale: 6), enters: 0.6, leaves: 7, hides: 3.0...3.8,
                    from: (0.9, 1.2), to: (0.9, -0.2)))
            actors.append(
                .init(
                    sprite: try symbol(eanText, .ean13, scale: 2), enters: 0.2, leaves: 6, hides: 2.4...3,
                    from: (-0.15, 0.85), to: (1.15, 0.85)))
            actors.append(
                .init(
                    sprite: try symbol(dataMatrixText, .dataMatrix, scale: 7), enters: 1, leaves: 7.4, hides: 4.2...4.8,
                    from: (0.1, -0.2), to: (0.1, 1.2)))
        } catch {
            throw SourceError(.failed, "test scene: \(error.description)")
        }
        return MovingScene(actors: actors, period: period)
    }

    private static func symbol(_ text: String, _ format: Barcode.Format, scale: Int) throws(DetectorError) -> Sprite {
        let drawn = try SymbolWriter.draw(text, as: format, quietZone: 8)
        return Sprite(modules: drawn.modules, columns: drawn.columns, rows: drawn.rows, scale: scale)
    }

    /// NASA's portrait of Eileen Collins, cropped to head and shoulders. The face is then about 180 pixels wide.
    private static func face(_ picture: String) throws(SourceError) -> MovingScene.Actor {
        let source = GStreamerSource(
            SourceSettings(
                kind: .launch(
                    "filesrc location=\"\(picture)\" ! decodebin ! videocrop left=90 right=162 bottom=252"
                        + " ! videoconvert ! videoscale ! video/x-raw,format=I420,width=520,height=520")))
        try source.start()
        defer { source.stop() }
        while true {
            switch source.next(timeout: .seconds(10)) {
            case .frame(let frame):
                return .init(
                    sprite: Sprite(frame), enters: 0, leaves: 8, hides: 4.0...4.5, from: (-0.25, 0.4), to: (1.25, 0.4))
            case .failed(let error): throw error
            case .nothing, .ended: throw SourceError(.unreadable, "\(picture): contains no picture")
            }
        }
    }
}

extension Sprite {
    /// Copies an I420 frame of even size, with packed rows.
    init(_ frame: Frame) {
        func packed(_ plane: Plane, _ width: Int, _ height: Int) -> [UInt8] {
            (0..<height).flatMap { Array(UnsafeBufferPointer(start: plane.base + $0 * plane.stride, count: width)) }
        }
        let (luma, blue, red) = frame.withPlanes { planes in
            (
                packed(planes[0], frame.width, frame.height), packed(planes[1], frame.width / 2, frame.height / 2),
                packed(planes[2], frame.width / 2, frame.height / 2)
            )
        }
        self.init(width: frame.width, height: frame.height, luma: luma, blue: blue, red: red)
    }
}
