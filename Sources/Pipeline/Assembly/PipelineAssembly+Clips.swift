// SPDX-License-Identifier: Apache-2.0
import Clips
import EventLines
import Frames
import Pipelines
import PictureEncoding
import PictureRelease
import PictureStorage
import Settings

/// The place and the limits of a pipeline's clips.
package struct ClipPlace: Sendable {
    /// Is created; its parent must exist.
    package var folder: String
    package var limits: RetentionSettings.Limits<Int>

    package init(folder: String, limits: RetentionSettings.Limits<Int> = RetentionSettings.standard.clips) {
        (self.folder, self.limits) = (folder, limits)
    }
}

/// The making of a run's clips.
struct ClipMaking: Sendable {
    var recorder: ClipRecorder
    /// The video of covered pictures; nil if clips are cut from the camera's own video.
    var covered: CoveredVideo?

    /// Ends the clip, and waits for that.
    func finish() {
        covered?.end()
        recorder.finish()
    }
}

extension PipelineAssembly {
    /// nil if no clips are written. Obstacles are reported to `complain`.
    ///
    /// - Parameter video: the camera's own video.
    func clipMaking(
        _ video: (any CameraVideo)?, tell: @escaping @Sendable (ClipEvent) -> Void,
        complain: @escaping @Sendable (String) -> Void
    ) -> ClipMaking? {
        // Without a source, the source's error is enough.
        guard let clip = settings.clip, video != nil || release.rules.coversPictures else { return nil }
        guard let clips else {
            complain("warning: no clips are made: no folder is set; see --pictures")
            return nil
        }
        guard pictures != .none, let (released, covered) = clipVideo(clip, video, complain: complain) else {
            complain("warning: no clips are made: pictures of this pipeline may not leave its worker")
            return nil
        }
        do throws(PictureError) {
            let limits = PictureLimits(age: clips.limits.age, count: .max, bytes: clips.limits.size)
            let recorder = ClipRecorder(
                ClipRecorder.Configuration(
                    rules: clip.on.compactMap { ClipRule($0) }, before: clip.before, after: clip.after,
                    maximumLength: clip.maxLength),
                folder: try ClipFolder(folder: clips.folder, limits: limits), video: released, tell: tell,
                complain: complain)
            return ClipMaking(recorder: recorder, covered: covered)
        } catch {
            complain("warning: no clips are made: \(error)")
            return nil
        }
    }

    /// The video from which clips are cut; nil if none may leave the worker.
    private func clipVideo(
        _ clip: ClipSettings, _ video: (any CameraVideo)?, complain: @escaping @Sendable (String) -> Void
    ) -> (ReleasedVideo, CoveredVideo?)? {
        if let video, let released = release.releaseAtOnce(video) { return (released, nil) }
        guard clip.covered == .encode, release.rules.coversPictures else { return nil }
        // The frames before a clip must still be there when its first event has been written.
        let covered = CoveredVideo(release, length: clip.before + .seconds(3), complain: complain)
        return release.releaseAtOnce(pictures: covered).map { ($0, covered) }
    }
}
