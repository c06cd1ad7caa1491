// SPDX-License-Identifier: Apache-2.0
import Frames
import Settings

extension GStreamerSource {
    /// The first frame of a file, upright.
    ///
    /// - Parameter settings: how it is turned, and how long it may take.
    package static func picture(
        of file: String, _ settings: SourceSettings = SourceSettings(kind: .test())
    ) throws(SourceError) -> Frame {
        var settings = settings
        settings.kind = .file(path: file)
        let source = GStreamerSource(settings)
        try source.start()
        defer { source.stop() }
        let deadline = ContinuousClock.now + settings.stallLimit
        while ContinuousClock.now < deadline {
            switch source.next(timeout: .milliseconds(500)) {
            case .frame(let frame): return frame
            case .failed(let error): throw error
            case .nothing, .ended: continue
            }
        }
        throw SourceError(.unreadable, "\(file): gave no picture within \(settings.stallLimit)")
    }
}
