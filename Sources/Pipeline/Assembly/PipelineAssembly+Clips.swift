import Clips
import EventLines
import Frames
import Pipelines
import PictureStorage
import Settings

/// The place and the limits of a pipeline's clips.
package struct ClipPlace: Sendable {
    /// Is created; its parent must exist.
    package var folder: String
    package var limits: RetentionSettings.Limits<Int>

    package init(folder: String, limits: RetentionSettings.Limits<Int> = RetentionSettings().clips) {
        (self.folder, self.limits) = (folder, limits)
    }
}

extension PipelineAssembly {
    /// nil if no clips are written. Obstacles are reported to `complain`.
    func clipRecorder(
        _ video: (any EncodedVideo)?, tell: @escaping @Sendable (ClipEvent) -> Void,
        complain: @escaping @Sendable (String) -> Void
    ) -> ClipRecorder? {
        guard let clip = settings.clip, let video else { return nil }
        // The configuration is checked, so these are the last line of defence.
        guard pictures != .none, settings.privacy.pictures, !release.rules.coversFeatures, settings.source.masks.isEmpty
        else {
            complain("warning: no clips are made: pictures of this pipeline may not leave its worker")
            return nil
        }
        guard let clips else {
            complain("warning: no clips are made: no folder is set; see --pictures")
            return nil
        }
        do throws(PictureError) {
            let limits = PictureLimits(age: clips.limits.age, count: .max, bytes: clips.limits.size)
            return ClipRecorder(
                ClipRecorder.Configuration(
                    rules: clip.on.compactMap { ClipRule($0) }, before: clip.before, after: clip.after,
                    maximumLength: clip.maxLength),
                folder: try ClipFolder(folder: clips.folder, limits: limits), video: video, tell: tell,
                complain: complain)
        } catch {
            complain("warning: no clips are made: \(error)")
            return nil
        }
    }
}
