import BinaryFormat

/// What a worker needs to start: the first message that it gets.
package struct WorkerConfiguration: Sendable, Equatable {
    /// Counts the starts of this pipeline's worker in this run, from 1; goes into every frame of events.
    package var epoch: UInt64
    /// No track of this worker may have a lower id, so that an id is never used again in a run.
    package var firstTrack: UInt64
    /// The pipeline file's name, for messages and as the default of the pipeline's name.
    package var file: String
    /// The pipeline file's text: what the supervisor has checked, whatever became of the file since.
    package var text: String
    package var modelsDirectory: String
    /// Where the newest frames are kept for whoever comes after a crash; empty: nowhere.
    package var crashFile: String
    /// Whether it gives up what it does not need before it opens its source.
    package var isRestricted: Bool
    /// The pipeline's own folder of pictures; the one above it is there. Empty: none are kept.
    package var picturesFolder: String
    /// Whether a frame may be encoded at all.
    package var allowsPictures: Bool
    /// Folders, which are there, in which it may make files although it is restricted.
    package var writable: [String]

    package init(
        epoch: UInt64, firstTrack: UInt64, file: String, text: String, modelsDirectory: String,
        crashFile: String = "", isRestricted: Bool = false, picturesFolder: String = "", allowsPictures: Bool = true,
        writable: [String] = []
    ) {
        self.isRestricted = isRestricted
        self.writable = writable
        self.crashFile = crashFile
        self.picturesFolder = picturesFolder
        self.allowsPictures = allowsPictures
        self.epoch = epoch
        self.firstTrack = firstTrack
        self.file = file
        self.text = text
        self.modelsDirectory = modelsDirectory
    }
}

extension WorkerConfiguration: WorkerChannelMessage {
    private static let tag: UInt8 = 16

    package var tag: UInt8 { Self.tag }

    package func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(integer: epoch)
        bytes.append(integer: firstTrack)
        bytes.append(string: file)
        bytes.append(string: modelsDirectory)
        bytes.append(string: crashFile)
        bytes.append(isRestricted ? 1 : 0)
        bytes.append(string: picturesFolder)
        bytes.append(allowsPictures ? 1 : 0)
        bytes.append(string: text)
        for folder in writable { bytes.append(string: folder) }
    }

    package init?(tag: UInt8, payload: ArraySlice<UInt8>) {
        var reader = PayloadReader(payload)
        guard tag == Self.tag, let epoch = reader.integer(), let firstTrack = reader.integer(),
            let file = reader.string(), let modelsDirectory = reader.string(),
            let crashFile = reader.string(), let isRestricted = reader.byte(), isRestricted <= 1,
            let picturesFolder = reader.string(), let allowsPictures = reader.byte(), allowsPictures <= 1,
            let text = reader.string()
        else { return nil }
        var writable: [String] = []
        while !reader.isAtEnd {
            guard let folder = reader.string() else { return nil }
            writable.append(folder)
        }
        self.init(
            epoch: epoch, firstTrack: firstTrack, file: file, text: text, modelsDirectory: modelsDirectory,
            crashFile: crashFile, isRestricted: isRestricted == 1, picturesFolder: picturesFolder,
            allowsPictures: allowsPictures == 1, writable: writable)
    }
}
