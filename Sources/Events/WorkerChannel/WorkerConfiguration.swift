// SPDX-License-Identifier: Apache-2.0
import BinaryFormat

/// The configuration with which a worker starts. It is the first message to the worker.
package struct WorkerConfiguration: Sendable, Equatable {
    /// The number of starts of this pipeline's worker in this run, from 1. The `frame` object of each event contains
    /// it.
    package var epoch: UInt64
    /// The lowest id for a track of this worker. It ensures that no id is used twice in a run.
    package var firstTrack: UInt64
    /// The pipeline file's name. It is used in messages, and as the pipeline's name by default.
    package var file: String
    /// The pipeline file's text as the supervisor has validated it. The file itself may have changed since.
    package var text: String
    package var modelsDirectory: String
    /// The file in which the newest frames are stored for the analysis of a crash; empty if none are stored.
    package var crashFile: String
    /// Whether the worker gives up the privileges that it does not need before it opens its source.
    package var isRestricted: Bool
    /// The pipeline's own folder for pictures, whose parent folder exists. Empty if the pipeline stores no pictures.
    package var picturesFolder: String
    /// Whether frames may be encoded as pictures.
    package var allowsPictures: Bool
    /// The age in seconds at which the pipeline's pictures are deleted.
    package var pictureAge: UInt64
    /// The size of the pipeline's pictures in bytes.
    package var pictureBytes: UInt64
    /// The pipeline's own folder for clips, whose parent folder exists; empty if no clip may be written.
    package var clipsFolder: String
    /// The age in seconds at which the pipeline's clips are deleted.
    package var clipAge: UInt64
    /// The size of the pipeline's clips in bytes.
    package var clipBytes: UInt64
    /// Existing folders in which a restricted worker may create files.
    package var writable: [String]

    package init(
        epoch: UInt64, firstTrack: UInt64, file: String, text: String, modelsDirectory: String,
        crashFile: String = "", isRestricted: Bool = false, picturesFolder: String = "", allowsPictures: Bool = true,
        pictureAge: UInt64 = 30 * 86_400, pictureBytes: UInt64 = 1 << 30, clipsFolder: String = "",
        clipAge: UInt64 = 30 * 86_400, clipBytes: UInt64 = 10 << 30, writable: [String] = []
    ) {
        self.pictureAge = pictureAge
        self.pictureBytes = pictureBytes
        self.clipsFolder = clipsFolder
        self.clipAge = clipAge
        self.clipBytes = clipBytes
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
        bytes.append(integer: pictureAge)
        bytes.append(integer: pictureBytes)
        bytes.append(string: clipsFolder)
        bytes.append(integer: clipAge)
        bytes.append(integer: clipBytes)
        bytes.append(string: text)
        for folder in writable { bytes.append(string: folder) }
    }

    package init?(tag: UInt8, payload: ArraySlice<UInt8>) {
        var reader = PayloadReader(payload)
        guard tag == Self.tag, let epoch = reader.integer(), let firstTrack = reader.integer(),
            let file = reader.string(), let modelsDirectory = reader.string(),
            let crashFile = reader.string(), let isRestricted = reader.byte(), isRestricted <= 1,
            let picturesFolder = reader.string(), let allowsPictures = reader.byte(), allowsPictures <= 1,
            let pictureAge = reader.integer(), let pictureBytes = reader.integer(),
            let clipsFolder = reader.string(), let clipAge = reader.integer(), let clipBytes = reader.integer(),
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
            allowsPictures: allowsPictures == 1, pictureAge: pictureAge, pictureBytes: pictureBytes,
            clipsFolder: clipsFolder, clipAge: clipAge, clipBytes: clipBytes, writable: writable)
    }
}
