// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import ModelCatalog
import Settings

/// The models of this machine: catalogue files (`*.toml`) and the files they name, in folders.
package struct ModelLibrary: Sendable {
    /// Searched in this order, for entries and for files.
    package let folders: [String]
    /// Where compiled models are kept from run to run; nil: nowhere.
    package let cacheFolder: String?
    package let catalog: ModelCatalog
    /// Catalogue files that could not be used, and why; their entries are missing, no others.
    package let problems: [ConfigurationError]

    package init(folders: [String], cacheFolder: String?) {
        self.folders = folders
        self.cacheFolder = cacheFolder
        var catalog = ModelCatalog()
        var problems: [ConfigurationError] = []
        for folder in folders {
            for file in BoundedFile.tomlFiles(inFolder: folder) {
                do throws(ConfigurationErrors) {
                    catalog.add(try ModelCatalog.load(file: file).entries)
                } catch {
                    problems += error.errors
                }
            }
        }
        self.catalog = catalog
        self.problems = problems
    }

    /// The folder that has the file; nil when none has.
    package func folder(of file: ModelFile) -> String? {
        folders.first { access("\($0)/\(file.name)", F_OK) == 0 }
    }

    package func path(of file: ModelFile) -> String? {
        folder(of: file).map { "\($0)/\(file.name)" }
    }

    /// The path of its network.
    package func installedPath(of entry: ModelEntry) throws(ModelMissing) -> String {
        if let path = path(of: entry.network) { return path }
        throw ModelMissing("the model \"\(entry.name)\" is not installed", install: entry.name)
    }

    package func isInstalled(_ entry: ModelEntry) -> Bool {
        entry.files.allSatisfy { folder(of: $0) != nil }
    }

    /// Those whose files are all there, best first.
    package func installed(_ kind: ModelKind) -> [ModelEntry] {
        catalog.entries(of: kind).filter(isInstalled)
    }

    /// The model that `model = "..."` means for a detector that takes models of `kind`. `auto` is the best installed
    /// one.
    ///
    /// - Throws: `ModelMissing` with the command that helps.
    package func model(_ setting: String, kind: ModelKind) throws(ModelMissing) -> ModelEntry {
        if setting == "auto" {
            if let best = installed(kind).first { return best }
            let advised = catalog.entries(of: kind).first { $0.verified && $0.isDownloadable }?.name
            throw ModelMissing("no \(kind.noun) model is installed", install: advised)
        }
        guard let entry = catalog[setting] else {
            throw ModelMissing(
                "unknown model \"\(setting)\"; the models of this detector: "
                    + (["auto"] + catalog.entries(of: kind).map(\.name) + kind.builtIn).joined(separator: ", "))
        }
        guard entry.kind == kind else {
            throw ModelMissing("the model \"\(setting)\" is of kind \(entry.kind.rawValue), not \(kind.rawValue)")
        }
        guard isInstalled(entry) else {
            throw ModelMissing("the model \"\(setting)\" is not installed", install: setting)
        }
        return entry
    }
}

/// The reason why a detector has no model. Its text stands in the `detector` line.
package struct ModelMissing: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    init(_ problem: String, install: String? = nil) {
        description = problem + (install.map { "; run: glimpsed models install \($0)" } ?? "")
    }
}

extension ModelKind {
    /// The methods of a detector of this kind without a network, by their names in the configuration.
    fileprivate var builtIn: [String] {
        switch self {
        case .face: [FaceSettings.cascade]
        case .object: [ObjectSettings.motion]
        case .faceAttribute, .classifier, .embedding: []
        }
    }

    fileprivate var noun: String {
        switch self {
        case .face: "face"
        case .faceAttribute: "face attribute"
        case .object: "object"
        case .classifier: "scene"
        case .embedding: "embedding"
        }
    }
}
