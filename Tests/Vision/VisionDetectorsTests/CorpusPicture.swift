// SPDX-License-Identifier: Apache-2.0
import Foundation
import Frames
import GStreamerSource
import GlimpseTesting
import Settings

/// The barcode corpus as frames.
enum CorpusPicture {
    /// The paths of all, in the order of their names.
    static let all: [String] = {
        let root = SharedData.path("corpora/barcodes")
        let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        let endings: Set = ["png", "jpg", "jpeg", "webp", "gif"]
        return files.filter { endings.contains(($0 as NSString).pathExtension.lowercased()) }.sorted()
            .map { "\(root)/\($0)" }
    }()

    static func frame(_ path: String, turned degrees: RotationSetting.Degrees = .zero) throws -> Frame {
        let source = try PlaylistSource(SourceSettings(kind: .images(path: path), rotation: .fixed(degrees)))
        try source.start()
        defer { source.stop() }
        while true {
            switch source.next(timeout: .seconds(1)) {
            case .frame(let frame): return frame
            case .nothing: continue
            case .failed(let error): throw error
            case .ended: throw Unreadable(path: path)
            }
        }
    }

    private struct Unreadable: Error {
        var path: String
    }
}
