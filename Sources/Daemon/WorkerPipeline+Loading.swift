import Events
import Settings
import Workers

extension WorkerPipeline {
    /// The enabled pipelines, each with the text of its file: what is checked is what the worker gets.
    ///
    /// - Throws: `DaemonError.configuration` when a file is not what it was any more.
    static func load(_ configuration: ConfigurationCheck) throws(DaemonError) -> [WorkerPipeline] {
        var pipelines: [WorkerPipeline] = []
        var problems: [ConfigurationError] = []
        for checked in configuration.pipelines where checked.enabled {
            guard let file = checked.file else { continue }
            do throws(ConfigurationErrors) {
                let bytes = try BoundedFile.bytes(of: file)
                let settings = try PipelineSettings.parse(bytes: bytes, file: file)
                pipelines.append(
                    WorkerPipeline(
                        identity: PipelineIdentity(name: settings.name, tags: settings.tags), file: file,
                        text: String(decoding: bytes, as: UTF8.self),
                        modelsDirectory: configuration.daemon.daemon.modelsDirectory,
                        logLevel: configuration.daemon.daemon.logLevel.rawValue))
            } catch {
                problems += error.errors
            }
        }
        guard problems.isEmpty else { throw .configuration(problems) }
        return pipelines
    }
}
