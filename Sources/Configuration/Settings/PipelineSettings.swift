// SPDX-License-Identifier: Apache-2.0
import Observations

/// One pipeline: a source and the detectors that run on it. The content of `pipelines/NAME.toml`.
package struct PipelineSettings: Sendable, Equatable {
    /// Unique among the daemon's pipelines; 1 to 64 of `A-Z a-z 0-9 . _ -`, not starting with `.` or `-`.
    /// Default: the file's name without `.toml`.
    package var name = "pipeline"
    /// `false`: the daemon checks the file but starts no worker for it.
    package var enabled = true
    /// Copied into every event, there by ascending key.
    package var tags: [String: String] = [:]
    package var source = SourceSettings()
    /// The detectors whose tables are there, in the order in which a frame's events are written. A detector runs when
    /// it is `enabled`.
    package var detectors: [ConfiguredDetector] = []
    /// Parts of the picture with names, in the order of the file.
    package var zones: [Zone] = []
    package var lines: [CrossingLine] = []
    /// Pictures of tracks are taken when its table is there and `enabled`.
    package var snapshot: SnapshotSettings?
    /// Clips are written when its table is there.
    package var clip: ClipSettings?
    /// A live search runs when its table is there and `enabled`.
    package var search: SearchSettings?
    /// The features to cover in every picture that leaves the worker.
    package var privacy = PrivacySettings()
    /// The file this came from, as it was given; nil when made in code.
    package var file: String?
}

extension PipelineSettings {
    package init(
        name: String, enabled: Bool = true, tags: [String: String] = [:], source: SourceSettings,
        detectors: [ConfiguredDetector] = [], snapshot: SnapshotSettings? = nil, file: String? = nil
    ) {
        self.name = name
        self.enabled = enabled
        self.tags = tags
        self.source = source
        self.detectors = detectors
        self.snapshot = snapshot
        self.file = file
    }
}
