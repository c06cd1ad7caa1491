import EventLines
import WorkerChannel

/// What a pipeline's workers are started with.
package struct WorkerPipeline: Sendable {
    package var identity: PipelineIdentity
    package var file: String
    /// The file's text, as it was checked.
    package var text: String
    package var modelsDirectory: String
    /// Names of the detectors that it runs.
    package var detectors: [String]
    /// How long its source may be silent before the worker itself says so and ends.
    package var sourceSilence: Duration
    /// Folder for the last frames before crashes, which must be there; nil: none are kept.
    package var crashFolder: String?
    /// Folder for its pictures, in one that is there; nil: no picture may be made.
    package var picturesFolder: String?
    /// Whether it runs only while somebody needs it.
    package var onDemand: Bool
    /// Whether it has a live search.
    package var hasSearch: Bool
    /// Whether its workers give up what they do not need.
    package var isRestricted: Bool
    /// Folders, which must be there, in which they may make files all the same.
    package var writable: [String]

    package init(
        identity: PipelineIdentity, file: String, text: String, modelsDirectory: String,
        detectors: [String] = [], sourceSilence: Duration = .seconds(20), crashFolder: String? = nil,
        picturesFolder: String? = nil, onDemand: Bool = false, hasSearch: Bool = false, isRestricted: Bool = false,
        writable: [String] = []
    ) {
        self.isRestricted = isRestricted
        self.writable = writable
        self.picturesFolder = picturesFolder
        self.crashFolder = crashFolder
        self.onDemand = onDemand
        self.hasSearch = hasSearch
        self.sourceSilence = sourceSilence
        self.identity = identity
        self.detectors = detectors
        self.file = file
        self.text = text
        self.modelsDirectory = modelsDirectory
    }

    var crashFrames: CrashFrames? {
        crashFolder.map { CrashFrames(folder: $0, pipeline: identity.name) }
    }

    func configuration(epoch: UInt64, firstTrack: UInt64) -> WorkerConfiguration {
        WorkerConfiguration(
            epoch: epoch, firstTrack: firstTrack, file: file, text: text, modelsDirectory: modelsDirectory,
            crashFile: crashFrames?.file ?? "", isRestricted: isRestricted,
            picturesFolder: picturesFolder ?? "", allowsPictures: picturesFolder != nil, writable: writable)
    }
}
