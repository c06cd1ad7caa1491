import ArgumentParser
import Glibc
import Installation
import SearchEngines

struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Index reference pictures, for [search] with engine = \"index\".",
        subcommands: [IndexBuildCommand.self])
}

struct IndexBuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build", abstract: "Make an index of the pictures in a folder.",
        usage: "glimpsed index build <folder> [--model <name>] [-o <file>] [--upright]",
        discussion: """
            Examples:
              glimpsed index build shop/ -o shop.index
              glimpsed index build 'shop/*.jpg' --upright

            A result's id is the picture's file name, its title that without the suffix. Each picture is indexed in all four ways up, \
            unless --upright says that things are always the right way up.

            Exit status: 0, 1 when pictures could not be read (the others are in the index), 66 when there is none, \
            69 when no model is installed.
            """)

    @Argument(help: "A folder, a picture, or a pattern.")
    var folder: String

    @Option(help: ArgumentHelp("The embedding model: a catalogue name, or auto.", valueName: "name"))
    var model = "auto"

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The index. Default: the folder's name with .index.", valueName: "file"))
    var output: String?

    @Flag(help: "One vector for each picture, not four.")
    var upright = false

    @Option(help: "Threads of the network.")
    var threads = 1

    func validate() throws {
        guard (1...256).contains(threads) else { throw ValidationError("--threads is a number from 1 to 256") }
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
        for picture in skipped { say("glimpsed: left out: \(picture.reason)") }
        let header = index.header
        say("\(path): \(header.items.count) pictures, \(header.model), \(header.dimensions) dimensions")
        if !skipped.isEmpty { throw ExitStatus.failed }
    }

    private var stem: String {
        folder.split(separator: "/").last.map(String.init) ?? "pictures"
    }
}
