// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog
import Observations
import WorkerChannel

/// The kinds of features that a pipeline can report, without duplicates.
package struct FeatureKinds: Sendable, Equatable {
    package struct Place: Sendable, Equatable {
        package var name: String
        package var kinds: [FeatureKind]
    }

    package var all: [FeatureKind]
    package var zones: [Place]
    package var lines: [Place]

    /// - Parameters:
    ///   - detectors: the kind of each detector.
    ///   - zones: the names of zones with their kinds; an empty set stands for all kinds.
    package init(
        detectors: [FeatureKind] = [], zones: [(name: String, kinds: Set<FeatureKind>)] = [],
        lines: [(name: String, kinds: Set<FeatureKind>)] = []
    ) {
        let kinds = detectors.indices.filter { !detectors[..<$0].contains(detectors[$0]) }.map { detectors[$0] }
        func place(_ name: String, _ wanted: Set<FeatureKind>) -> Place {
            Place(name: name, kinds: wanted.isEmpty ? kinds : kinds.filter(wanted.contains))
        }
        all = kinds
        self.zones = zones.map(place)
        self.lines = lines.map(place)
    }
}

/// The start parameters of a pipeline's workers.
package struct WorkerPipeline: Sendable {
    package var identity: PipelineIdentity
    package var places: PipelinePlaces
    package var file: String
    /// The file's text as it was checked.
    package var text: String
    package var modelsDirectory: String
    /// The names of the detectors that it runs.
    package var detectors: [String]
    /// The kinds of features that can be counted: of the pipeline, of each zone, and of each line.
    package var kinds: FeatureKinds
    /// The time that its source may be silent before the worker itself reports the loss and ends.
    package var sourceSilence: Duration
    /// The folder for the last frames before crashes, which must exist; nil if none are kept.
    package var crashFolder: String?
    /// The folder for its pictures, in an existing folder; nil if no picture may be made.
    package var picturesFolder: String?
    /// The limits of its pictures: the age in seconds, and the size in bytes.
    package var pictureAge: UInt64
    package var pictureBytes: UInt64
    /// The folder for its clips, in an existing folder; nil if no clip may be written.
    package var clipsFolder: String?
    /// The limits of its clips: the age in seconds, and the size in bytes.
    package var clipAge: UInt64
    package var clipBytes: UInt64
    /// Whether it runs only on demand.
    package var onDemand: Bool
    /// Whether it has a live search.
    package var hasSearch: Bool
    /// Whether its workers enter the sandbox.
    package var isRestricted: Bool
    /// Folders, which must exist, in which restricted workers may still create files.
    package var writable: [String]

    package init(
        identity: PipelineIdentity, places: PipelinePlaces = PipelinePlaces(), file: String, text: String,
        modelsDirectory: String,
        detectors: [String] = [], kinds: FeatureKinds = FeatureKinds(), sourceSilence: Duration = .seconds(20),
        crashFolder: String? = nil, picturesFolder: String? = nil, pictureAge: UInt64 = 30 * 86_400,
        pictureBytes: UInt64 = 1 << 30, clipsFolder: String? = nil, clipAge: UInt64 = 30 * 86_400,
        clipBytes: UInt64 = 10 << 30, onDemand: Bool = false, hasSearch: Bool = false, isRestricted: Bool = false,
        writable: [String] = []
    ) {
        self.isRestricted = isRestricted
        self.writable = writable
        self.picturesFolder = picturesFolder
        self.pictureAge = pictureAge
        self.pictureBytes = pictureBytes
        self.clipsFolder = clipsFolder
        self.clipAge = clipAge
        self.clipBytes = clipBytes
        self.crashFolder = crashFolder
        self.onDemand = onDemand
        self.hasSearch = hasSearch
        self.sourceSilence = sourceSilence
        self.identity = identity
        self.places = places
        self.detectors = detectors
        self.kinds = kinds
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
            picturesFolder: picturesFolder ?? "", allowsPictures: picturesFolder != nil,
            pictureAge: pictureAge, pictureBytes: pictureBytes, clipsFolder: clipsFolder ?? "", clipAge: clipAge,
            clipBytes: clipBytes, writable: writable)
    }
}
