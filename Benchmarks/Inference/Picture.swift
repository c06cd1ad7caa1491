// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import Settings

/// A frame out of a file, as a pipeline gets it.
enum Picture {
    /// - Parameter size: what it is scaled to; nil: its own.
    static func frame(_ path: String, size: (width: Int, height: Int)? = nil) throws -> Frame {
        let kind: SourceKind =
            if let size {
                .launch(
                    "filesrc location=\"\(path)\" ! decodebin ! videoconvert ! videoscale ! "
                        + "video/x-raw,format=NV12,width=\(size.width),height=\(size.height)")
            } else {
                .file(path: path)
            }
        let source = GStreamerSource(SourceSettings(kind: kind))
        try source.start()
        defer { source.stop() }
        for _ in 0..<100 {
            switch source.next(timeout: .milliseconds(100)) {
            case .frame(let frame): return frame
            case .failed(let error): throw error
            case .nothing, .ended: continue
            }
        }
        throw SourceError(.unreadable, "\(path): gives no picture")
    }
}
