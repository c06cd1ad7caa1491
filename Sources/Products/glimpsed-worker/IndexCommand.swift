// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import Installation
import SearchEngines

struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Build an index of reference pictures for [search] with engine = \"index\".",
        discussion: "Example:\n  glimpsed index build shop/ -o shop.index",
        subcommands: [IndexBuildCommand.self])
}

struct IndexBuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build", abstract: "Build an index of the pictures in a folder.",
        usage: "glimpsed index build <folder> [--model <name>] [-o <file>] [--upright]",
        discussion: """
            Examples:
              glimpsed index build shop/ -o shop.index
              glimpsed index build 'shop/*.jpg' --upright

            The id of a result is the picture's file name, and its title is the file name without the suffix. Each picture is \
            indexed in four rotations; --upright indexes it in one, for objects that are always upright.

            Exit status: 0 success, 1 some pictures could not be read (the index has the others), 66 no picture was found, \
            69 no model is installed.
            """)

    @Argument(help: "A folder, a picture, or a pattern.")
    var folder: String

    @Option(help: ArgumentHelp("The embedding model: a catalogue name, or auto.", valueName: "name"))
    var model = "auto"

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The index file. Default: the folder's name with the suffix .index.", valueName: "file"))
    var output: String?

    @Flag(help: "Index each picture in one rotation instead of four.")
    var upright = false

    @Option(help: "The number of threads for the embedding model.")
    var threads = 1

    func validate() throws {
        guard (1...256).contains(threads) else { throw ValidationError("--threads requires a number from 1 to 256") }
    }

    func run() throws {
        let embedder: PictureEmbedder
        do {
            embedder = try PictureEmbedder(
                model: model, models: ResourceFolders.ofThisProcess().models, threads: threads)
        } catch {
            say("glimpsed: \(error)")
            throw ExitStatus.unavailable
        }
        let path = output ?? "\(stem).index"
        let isShown = isatty(STDERR_FILENO) == 1
        var lastShown = ContinuousClock.now
        let index: PictureIndex
        let skipped: [PictureIndexBuilder.Skipped]
        do {
            (index, skipped) = try PictureIndexBuilder(embedder, turns: upright ? 1 : 4).build(folder) { done, all in
                guard isShown, done == all || .now - lastShown > .milliseconds(200) else { return }
                lastShown = .now
                let bytes = Array("\r\(done) of \(all) pictures\(done == all ? "\n" : "")".utf8)
                _ = write(STDERR_FILENO, bytes, bytes.count)
            }
        } catch {
            say("glimpsed: \(error)")
            throw ExitStatus.noInput
        }
        do {
            try PictureIndexFile.write(index, to: path)
        } catch {
            say("glimpsed: \(error)")
            throw ExitStatus.failed
        }
        for picture in skipped { say("glimpsed: skipped: \(picture.reason)") }
        let header = index.header
        say("\(path): \(header.items.count) pictures, \(header.model), \(header.dimensions) dimensions")
        if !skipped.isEmpty { throw ExitStatus.failed }
    }

    private var stem: String {
        folder.split(separator: "/").last.map(String.init) ?? "pictures"
    }
}
