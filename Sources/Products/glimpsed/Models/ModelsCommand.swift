// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Installation
import ModelCatalog
import Settings

struct ModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "List, install and verify the models of detectors.",
        discussion: """
            The catalogue consists of the entries that come with glimpsed and of your own *.toml files in models_dir.

            Examples:
              glimpsed models list
              glimpsed models install yolox_nano
              glimpsed models verify
            """,
        subcommands: [ModelsListCommand.self, ModelsInstallCommand.self, ModelsVerifyCommand.self])
}

/// The options that locate this machine's models.
struct ModelOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The daemon's configuration. Default: \(ConfigurationCheck.defaultFile).", valueName: "file")
    )
    var config: String?

    /// The library of models. Reports unusable catalogue entries on standard error.
    ///
    /// - Throws: exit status 78 when the given configuration is wrong, or when no catalogue exists.
    func library() throws -> ModelLibrary {
        let library = ResourceFolders.ofThisProcess(modelsFolder: try modelsFolder()).models
        for problem in library.problems { say("glimpsed: \(problem)") }
        guard !library.catalog.entries.isEmpty else {
            say("glimpsed: no model catalogue in \(library.folders.joined(separator: ", "))")
            throw ExitCode.configurationError
        }
        return library
    }

    /// The folder in which models are installed.
    func modelsFolder() throws -> String {
        let check = ConfigurationCheck(file: config)
        if config != nil, !check.problems.isEmpty {
            for problem in check.problems { say(problem.description) }
            throw ExitCode.configurationError
        }
        return config == nil
            ? ResourceFolders.variable("GLIMPSED_MODELS_DIR") ?? check.daemon.daemon.modelsDirectory
            : check.daemon.daemon.modelsDirectory
    }
}

extension ModelLibrary {
    /// The entries with these names.
    ///
    /// - Throws: exit status 64 for an unknown name; the reason is on standard error.
    func entries(named names: [String]) throws -> [ModelEntry] {
        try names.map { name in
            guard let entry = catalog[name] else {
                say("glimpsed: unknown model \"\(name)\"; glimpsed models list prints the names")
                throw ExitCode(64)
            }
            return entry
        }
    }
}
