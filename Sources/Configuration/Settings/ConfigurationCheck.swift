// SPDX-License-Identifier: Apache-2.0
/// The daemon's file and all its pipelines, read together: what `glimpsed run` starts from, and what `glimpsed check`
/// prints. All or nothing: with problems, nothing of it should be applied.
package struct ConfigurationCheck: Sendable, Equatable {
    package static let defaultFile = "/etc/glimpsed/config.toml"

    /// The daemon's file, whether or not it is there.
    package let file: String
    package private(set) var daemon = DaemonSettings()
    package private(set) var pipelinesFolder: String
    /// By file name; disabled ones too.
    package private(set) var files: [PipelineFile] = []
    package var pipelines: [PipelineSettings] { files.map(\.settings) }
    /// By file, then line.
    package private(set) var problems: [ConfigurationError] = []
    /// Deprecated keys, in the order of the problems.
    package private(set) var warnings: [ConfigurationError] = []
    /// Whether the daemon's file has `retention.pictures`.
    private var limitsPictures = false

    /// No file means `defaultFile` if it is there, else the defaults and `pipelines` beside it, which may be absent.
    /// Only tests give another `defaultFile`.
    package init(file given: String? = nil, defaultFile: String = Self.defaultFile) {
        file = given ?? defaultFile
        pipelinesFolder = daemon.pipelinesFolder(configurationFile: file)
        let isAssumed = given == nil && BoundedFile.kind(of: file) == .absent
        var folderKey = ConfigurationError(file: file, problem: "")
        if !isAssumed {
            do throws(ConfigurationErrors) {
                let document = try TOMLDocument(BoundedFile.bytes(of: file), file: file)
                folderKey.key = "daemon.pipelines"
                folderKey.line = document.context.line(of: ["daemon", "pipelines"])
                limitsPictures = document.context.line(of: ["retention", "pictures"]) != nil
                daemon = try DaemonSettings.read(document, &warnings)
            } catch {
                problems += error.errors
            }
            pipelinesFolder = daemon.pipelinesFolder(configurationFile: file)
        }
        readPipelines(folderKey, mayBeAbsent: isAssumed || !problems.isEmpty)
    }

    /// The folder that a configuration's file is in.
    package static func folder(of file: String) -> String { FilePath.folder(of: file) ?? "." }

    /// Refuses limits of pictures in a pipeline's file if the daemon's file has them.
    private func refuseDoubleLimits(_ document: TOMLDocument) throws(ConfigurationErrors) {
        guard limitsPictures else { return }
        let context = document.context
        for key in SnapshotSettings.replacedKeys where context.line(of: ["snapshot", key]) != nil {
            context.reportReplaced(["snapshot", key], by: SnapshotSettings.replacement, isDouble: true, advice: "")
        }
        try context.throwIfAny()
    }

    private mutating func readPipelines(_ folderKey: ConfigurationError, mayBeAbsent: Bool) {
        let names: [String]
        do throws(ConfigurationErrors) {
            if mayBeAbsent, BoundedFile.kind(of: pipelinesFolder) == .absent { return }
            names = try BoundedFile.names(inFolder: pipelinesFolder)
        } catch {
            problems += error.errors.map { error in
                var problem = folderKey
                problem.problem = "pipelines: \(pipelinesFolder): \(error.problem)"
                problem.suggestion = error.suggestion ?? "make it, or set the key pipelines"
                return problem
            }
            return
        }
        var owners: [String: String] = [:]
        for name in names where FilePath.suffix(of: name) == "toml" && !name.hasPrefix(".") {
            let path = FilePath.join(pipelinesFolder, name)
            do throws(ConfigurationErrors) {
                let bytes = try BoundedFile.bytes(of: path)
                let document = try TOMLDocument(bytes, file: path)
                let settings = try PipelineSettings.read(document, file: path, &warnings)
                try refuseDoubleLimits(document)
                if let other = owners[settings.name] {
                    problems.append(
                        .init(
                            file: path, line: document.context.line(of: ["name"]), key: "name",
                            problem: "name \(quoted(settings.name)) is already that of \(other)",
                            suggestion: "set the key name to another"))
                } else {
                    owners[settings.name] = path
                    let text = String(decoding: bytes, as: UTF8.self)
                    self.files.append(PipelineFile(settings, text: text, document: document))
                }
            } catch {
                problems += error.errors
            }
        }
    }
}
