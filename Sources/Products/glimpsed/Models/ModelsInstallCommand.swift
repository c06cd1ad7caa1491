import ArgumentParser
import Installation
import ModelCatalog
import ModelStore

struct ModelsInstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Download models, or copy them from a folder, into models_dir.",
        discussion: """
            Without a name: the best face, object and scene model that this project has run. A file is moved into place when its size \
            and SHA-256 are right, and not before; what came of a download that was cut is gone on with. Proxies are those of the \
            environment (https_proxy, no_proxy).

            Examples:
              glimpsed models install
              glimpsed models install yolox_nano squeezenet
              glimpsed models install --all --from /media/usb/models

            Exit status: 0, 1 when a file is not the right one or cannot be written, 64 unknown model, 66 not in the folder, \
            69 the server does not give it.
            """)

    @OptionGroup var options: ModelOptions

    @Argument(help: ArgumentHelp("Models of the catalogue.", valueName: "name"))
    var names: [String] = []

    @Flag(help: "Every model that this project has run.")
    var all = false

    @Option(help: ArgumentHelp("Copy the files from this folder; nothing is downloaded.", valueName: "dir"))
    var from: String?

    @Option(help: ArgumentHelp("Install into this folder. Default: models_dir.", valueName: "dir"))
    var to: String?

    @Option(help: ArgumentHelp("The SHA-256 of the one model's file whose entry has none.", valueName: "hash"))
    var sha256: String?

    @Option(help: ArgumentHelp("Tries in a row that bring nothing before a download has failed.", valueName: "count"))
    var tries = 5

    func validate() throws {
        guard (1...1000).contains(tries) else { throw ValidationError("--tries takes 1 to 1000") }
        if all, !names.isEmpty { throw ValidationError("give names or --all, not both") }
        if let sha256 {
            guard names.count == 1 else { throw ValidationError("--sha256 is for one model") }
            guard sha256.utf8.count == 64, sha256.allSatisfy(\.isHexDigit) else {
                throw ValidationError("--sha256 takes 64 hexadecimal digits")
            }
        }
    }

    func run() throws {
        let library = try options.library()
        let folder = try to ?? options.modelsFolder()
        var installer = ModelInstaller(folder: folder, origin: from.map { .folder($0) } ?? .network)
        installer.tries = tries
        var progress = DownloadProgress()
        for file in try files(of: library) {
            do throws(ModelStoreError) {
                if to == nil, let there = library.folder(of: file), let installed = InstalledFile(file, in: there),
                    try installed.problem() == nil
                {
                    say("\(file.name): installed already, in \(there)")
                    continue
                }
                let isNew = try installer.install(file) { progress.show($0) }
                progress.clear()
                say("\(file.name): \(isNew ? "installed" : "installed already,") in \(folder)")
            } catch {
                progress.clear()
                say("glimpsed: \(error)")
                throw error.exitCode
            }
        }
    }

    /// Each file once, even if several models share it.
    private func files(of library: ModelLibrary) throws -> [ModelFile] {
        var files: [ModelFile] = []
        for var entry in try entries(of: library) {
            if let sha256 {
                guard entry.network.sha256 == nil else {
                    say("glimpsed: the catalogue has \(entry.name)'s SHA-256 already")
                    throw ExitCode(64)
                }
                entry.network.sha256 = sha256.lowercased()
            }
            files += entry.files.filter { !files.contains($0) }
        }
        return files
    }

    /// Whether the files are available from the chosen origin. With `--all` too, models that must come from a folder
    /// and are absent there are skipped.
    private func isWithinReach(_ entry: ModelEntry) -> Bool {
        guard !entry.isDownloadable else { return true }
        guard let from else { return false }
        return entry.files.allSatisfy { InstalledFile($0, in: from) != nil }
    }

    private func entries(of library: ModelLibrary) throws -> [ModelEntry] {
        let verified = library.catalog.entries.filter { $0.verified && isWithinReach($0) }
        if all { return verified }
        if !names.isEmpty { return try library.entries(named: names) }
        return [ModelKind.face, .object, .classifier].compactMap { kind in verified.first { $0.kind == kind } }
    }
}

extension ModelStoreError {
    var exitCode: ExitCode {
        switch self {
        case .noHash: ExitCode(64)
        case .noOrigin, .notFound: .inputMissing
        case .notReceived: .unavailable
        case .wrongHash, .wrongSize, .unreadable, .unwritable, .busy: .failed
        }
    }
}
