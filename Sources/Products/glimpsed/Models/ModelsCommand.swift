import ArgumentParser
import Installation
import ModelCatalog
import Settings

struct ModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "List, install and verify the models that detectors run.",
        discussion: """
            Models come from the catalogue: the one that glimpsed brings, and every *.toml of your own in models_dir.

            Examples:
              glimpsed models list
              glimpsed models install yolox_nano
              glimpsed models verify
            """,
        subcommands: [ModelsListCommand.self, ModelsInstallCommand.self, ModelsVerifyCommand.self])
}

/// What this machine's models are looked up by.
struct ModelOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The daemon's configuration. Default: \(ConfigurationCheck.defaultFile).", valueName: "file")
    )
    var config: String?

    /// Says on standard error what of the catalogue cannot be used.
    ///
    /// - Throws: exit status 78 when a configuration that was named is wrong, or there is no catalogue.
    func library() throws -> ModelLibrary {
        let library = ResourceFolders.ofThisProcess(modelsFolder: try modelsFolder()).models
        for problem in library.problems { say("glimpsed: \(problem)") }
        guard !library.catalog.entries.isEmpty else {
            say("glimpsed: there is no catalogue of models in \(library.folders.joined(separator: ", "))")
            throw ExitCode.configurationError
        }
        return library
    }

    /// Where models are installed.
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
    /// The entries of these names.
    ///
    /// - Throws: exit status 64, said on standard error.
    func entries(named names: [String]) throws -> [ModelEntry] {
        try names.map { name in
            guard let entry = catalog[name] else {
                say("glimpsed: no model is called \"\(name)\"; glimpsed models list has their names")
                throw ExitCode(64)
            }
            return entry
        }
    }
}
