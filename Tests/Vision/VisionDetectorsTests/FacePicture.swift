// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import Observations
import Settings

@testable import VisionDetectors

/// A photograph's luma, to be painted anywhere in frames, turned and in any size.
struct FacePicture {
    let width: Int
    let height: Int
    private let samples: [UInt8]

    /// - Parameter name: of a picture in the shared media folder.
    init(_ name: String) throws {
        let path = SharedData.path("media/images/face/\(name)")
        let source = GStreamerSource(SourceSettings(kind: .file(path: path)))
        try source.start()
        defer { source.stop() }
        while true {
            switch source.next(timeout: .seconds(10)) {
            case .frame(let frame):
                (width, height) = (frame.width, frame.height)
                samples = frame.withPlanes { planes in
                    (0..<frame.height).flatMap { row in
                        (0..<frame.width).map { planes[0].base[row * planes[0].stride + $0] }
                    }
                }
                return
            case .failed(let error): throw error
            case .nothing, .ended: continue
            }
        }
    }

    /// Between four samples; nil outside.
    func sample(_ x: Float, _ y: Float) -> UInt8? {
        guard x >= 0, y >= 0, x < Float(width - 1), y < Float(height - 1) else { return nil }
        let (left, top) = (Int(x), Int(y))
        let (fx, fy) = (x - Float(left), y - Float(top))
        func value(_ dx: Int, _ dy: Int) -> Float { Float(samples[(top + dy) * width + left + dx]) }
        let upper = value(0, 0) + fx * (value(1, 0) - value(0, 0))
        let lower = value(0, 1) + fx * (value(1, 1) - value(0, 1))
        return UInt8(upper + fy * (lower - upper))
    }

    /// The face detector on a network of the shared data.
    static func detector(_ settings: FaceSettings) throws -> YuNetDetector {
        try YuNetDetector(
            path: SharedData.path("models/yunet_n_640_640.onnx"), settings: settings, attributes: nil, cacheFolder: nil)
    }
}
