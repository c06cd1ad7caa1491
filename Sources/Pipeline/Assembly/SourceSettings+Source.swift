// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import Installation
import Settings

extension SourceSettings {
    /// The source that these settings describe, ready to start.
    package func makeSource(resources: ResourceFolders, epoch: UInt64 = 1) throws(SourceError) -> any FrameSource {
        switch kind {
        case .file(_, loop: true, _), .images: return try PlaylistSource(self, epoch: epoch)
        case .test("scene", _):
            return GStreamerSource(self, scene: try DemoScene.make(picture: resources.demoPicture), epoch: epoch)
        case .rtsp(let camera):
            return GStreamerSource(self, password: try camera.password?.password(), epoch: epoch)
        case .launch(_, let password):
            return GStreamerSource(self, password: try password?.password(), epoch: epoch)
        case .file, .v4l2, .test: return GStreamerSource(self, epoch: epoch)
        }
    }
}
