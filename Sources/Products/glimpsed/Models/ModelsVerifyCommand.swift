// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Installation
import ModelCatalog
import ModelStore

struct ModelsVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check the size and the SHA-256 of every installed model.",
        discussion: """
            Example:
              glimpsed models verify

            Exit status: 0 all models are correct, 1 a model is wrong, missing or unreadable, 2 no model is installed, \
            64 unknown model.
            """)

    @OptionGroup var options: ModelOptions

    @Argument(help: ArgumentHelp("Names of models in the catalogue. Default: all installed models.", valueName: "name"))
    var names: [String] = []

    func run() throws {
        let library = try options.library()
        let entries = names.isEmpty ? library.catalog.entries : try library.entries(named: names)
        var (count, failures) = (0, 0)
        for entry in entries {
            let files = entry.files.compactMap { file in
                library.folder(of: file).flatMap { InstalledFile(file, in: $0) }
            }
            guard files.contains(where: { $0.file == entry.network }) else {
                if !names.isEmpty {
                    say("MISSING \(entry.name); run: glimpsed models install \(entry.name)")
                    failures += 1
                }
                continue
            }
            count += 1
            let problems = files.compactMap(problem) + missing(entry, library)
            failures += problems.isEmpty ? 0 : 1
            let isKnown = entry.files.allSatisfy { $0.sha256 != nil }
            if problems.isEmpty {
                say(
                    "\(isKnown ? "ok     " : "unknown") \(entry.name)\(isKnown ? "" : ": its catalogue entry has no SHA-256")"
                )
            }
            for problem in problems { say("WRONG   \(entry.name): \(problem)") }
        }
        if failures > 0 { throw ExitCode.failed }
        if count == 0 {
            say("no model is installed; run: glimpsed models install")
            throw ExitCode.nothingFound
        }
    }

    private func problem(_ file: InstalledFile) -> ModelStoreError? {
        do throws(ModelStoreError) {
            return try file.problem()
        } catch {
            return error
        }
    }

    private func missing(_ entry: ModelEntry, _ library: ModelLibrary) -> [ModelStoreError] {
        entry.files.filter { library.folder(of: $0) == nil }.map { .notFound($0.name) }
    }
}
