// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Installation
import ModelCatalog
import ModelStore

struct ModelsInstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install models into models_dir, from the network or from a folder.",
        discussion: """
            Without a name, the best verified face, object and scene models are installed. A file is moved into place only \
            after its size and SHA-256 were checked. An interrupted download is resumed. The environment variables https_proxy \
            and no_proxy set the proxies.

            Examples:
              glimpsed models install
              glimpsed models install yolox_nano squeezenet
              glimpsed models install --all --from /media/usb/models

            Exit status: 0 success, 1 a file is wrong or cannot be written, 64 unknown model, 66 a file is not in the folder, \
            69 a file cannot be downloaded.
            """)

    @OptionGroup var options: ModelOptions

    @Argument(help: ArgumentHelp("Names of models in the catalogue.", valueName: "name"))
    var names: [String] = []

    @Flag(help: "Install every verified model.")
    var all = false

    @Option(help: ArgumentHelp("Copy the files from this folder instead of downloading them.", valueName: "dir"))
    var from: String?

    @Option(help: ArgumentHelp("Install into this folder. Default: models_dir.", valueName: "dir"))
    var to: String?

    @Option(help: ArgumentHelp("The SHA-256 of a model whose catalogue entry has none.", valueName: "hash"))
    var sha256: String?

    @Option(
        help: ArgumentHelp(
            "Give up a download after this number of attempts in a row without progress.", valueName: "count"))
    var tries = 5

    func validate() throws {
        guard (1...1000).contains(tries) else { throw ValidationError("--tries requires a number from 1 to 1000") }
        if all, !names.isEmpty { throw ValidationError("names and --all exclude each other") }
        if let sha256 {
            guard names.count == 1 else { throw ValidationError("--sha256 requires exactly one model") }
            guard sha256.utf8.count == 64, sha256.allSatisfy(\.isHexDigit) else {
                throw ValidationError("--sha256 requires 64 hexadecimal digits")
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
                    say("\(file.name): already installed in \(there)")
                    continue
                }
                let isNew = try installer.install(file) { progress.show($0) }
                progress.clear()
                say("\(file.name): \(isNew ? "installed" : "already installed") in \(folder)")
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
                    say("glimpsed: --sha256: the catalogue already has the SHA-256 of \(entry.name)")
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
