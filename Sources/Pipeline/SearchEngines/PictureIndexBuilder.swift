// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import Settings

/// Builds an index of the pictures that a folder, file or glob selects.
package struct PictureIndexBuilder {
    /// A picture left out of the index, and the reason.
    package struct Skipped: Sendable, Equatable {
        package var file: String
        package var reason: String
    }

    private let embedder: PictureEmbedder
    private let turns: Int

    /// - Parameter turns: 1, or 4 to index each picture in four rotations, for objects without a fixed orientation.
    package init(_ embedder: PictureEmbedder, turns: Int) {
        precondition(turns == 1 || turns == 4, "turns must be 1 or 4")
        self.embedder = embedder
        self.turns = turns
    }

    /// All four rotations, or the rotation that the file itself specifies.
    private var rotations: [RotationSetting] {
        turns == 4 ? RotationSetting.Degrees.allCases.map { .fixed($0) } : [.auto]
    }

    /// - Parameter progress: called with the number of finished pictures and the total.
    /// - Throws: if no picture exists, or none can be read.
    package func build(
        _ path: String, progress: (Int, Int) -> Void
    ) throws(PictureIndexError) -> (PictureIndex, [Skipped]) {
        let files: [String]
        do throws(SourceError) { files = try PictureFiles.find(path) } catch {
            throw PictureIndexError(error.description)
        }
        guard files.count <= PictureIndexFile.maximumItems else {
            throw PictureIndexError("\(path): an index has at most \(PictureIndexFile.maximumItems) pictures")
        }
        var (items, vectors, skipped): ([PictureIndex.Item], [Float], [Skipped]) = ([], [], [])
        for (number, file) in files.enumerated() {
            do throws(PictureIndexError) {
                for (turn, rotation) in rotations.enumerated() {
                    // An error in the middle of a picture must not leave a part of its vectors.
                    let vector = try embedder.embed(file: file, rotation: rotation)
                    if turn == 0 { items.append(.init(id: Self.name(file), title: Self.title(file))) }
                    vectors += vector
                }
            } catch {
                if vectors.count % (turns * embedder.dimensions) != 0 {
                    items.removeLast()
                    vectors.removeLast(vectors.count % (turns * embedder.dimensions))
                }
                skipped.append(Skipped(file: file, reason: error.description))
            }
            progress(number + 1, files.count)
        }
        guard !items.isEmpty else {
            throw PictureIndexError("\(path): no picture could be read: \(skipped.first?.reason ?? "no picture found")")
        }
        let header = PictureIndex.Header(
            model: embedder.entry.name, modelSHA256: embedder.sha256, folder: Self.folder(files[0]),
            dimensions: embedder.dimensions, turns: turns, items: items)
        return (PictureIndex(header, vectors: vectors), skipped)
    }

    private static func name(_ file: String) -> String { file.split(separator: "/").last.map(String.init) ?? file }

    private static func folder(_ file: String) -> String {
        let file = FilePath.absolute(file)
        return file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "/"
    }

    /// Turns `oat_milk-1l.jpg` into `oat milk-1l`.
    static func title(_ file: String) -> String {
        let name = name(file)
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
        return String(stem.map { $0 == "_" ? " " : $0 })
    }
}
