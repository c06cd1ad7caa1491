// SPDX-License-Identifier: Apache-2.0
import Frames

/// Encoded video that may leave the worker.
///
/// Clips and viewers take no other video. So an exit that does not ask `PictureRelease` does not compile.
package struct ReleasedVideo: Sendable {
    package let video: any EncodedVideo

    fileprivate init(_ video: any EncodedVideo) { self.video = video }

    /// nil if this process encodes the video.
    package var camera: (any CameraVideo)? { video as? any CameraVideo }
}

/// Video that this process encodes. Its pictures are released pictures.
package protocol PictureVideo: EncodedVideo {
    /// Encodes one picture. Returns at once.
    func take(_ picture: ReleasedPicture)
}

extension PictureRelease {
    /// Releases the camera's own video; nil if no picture may leave, or if a mask or a blur covers pictures.
    package func releaseAtOnce(_ video: any CameraVideo) -> ReleasedVideo? {
        rules.allowsPictures && !rules.coversPictures ? ReleasedVideo(video) : nil
    }

    /// Releases video of released pictures; nil if no picture may leave.
    package func releaseAtOnce(pictures video: some PictureVideo) -> ReleasedVideo? {
        rules.allowsPictures ? ReleasedVideo(video) : nil
    }
}
