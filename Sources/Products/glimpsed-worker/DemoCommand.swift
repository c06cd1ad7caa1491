// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import ArgumentParser
import Assembly
import Frames
import Installation
import Settings

/// The worker's part of `glimpsed demo`: runs the first camera or the built-in scene.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Run the demonstration's pipeline.", shouldDisplay: false)

    @Option(help: "Use this source instead of the first camera.")
    var source: String?

    @Option(help: "Stop after this number of seconds.")
    var seconds = 10

    func run() throws {
        let resources = ResourceFolders.ofThisProcess()
        let chosen = source ?? Cameras.first ?? "test:scene"
        if source == nil, chosen == "test:scene" {
            let scene =
                resources.demoPicture == nil
                ? "three symbols; the photograph of the demo is not installed" : "a photographed face and three symbols"
            say("no camera found; showing the built-in scene (\(scene))")
        } else {
            say("source: \(chosen)")
        }
        let settings: PipelineSettings
        do {
            var overrides = [("name", "demo"), ("face.enabled", "true"), ("barcode.enabled", "true")]
            // The built-in scene shows no objects.
            if chosen != "test:scene", !resources.models.installed(.object).isEmpty {
                overrides += [("object.enabled", "true"), ("object.classify", "true")]
            }
            settings = try PipelineSettings.parse(
                "", source: chosen, overrides: overrides.map { (key: $0.0, value: $0.1) })
        } catch {
            say(error.description)
            throw ExitStatus.usage
        }
        let run = PipelineAssembly(settings, resources: resources)
        let signals = Signals { run.stop(.shutdown) }
        var started: ContinuousClock.Instant?
        let limit = Duration.seconds(seconds)
        let outcome = withExtendedLifetime(signals) {
            run.run(into: StandardOutput { run.stop(.shutdown) }, complain: { say("glimpsed: \($0)") }) { _ in
                let start = started ?? .now
                started = start
                if .now - start >= limit { run.stop(.shutdown) }
            }
        }
        if case .failed(let error) = outcome {
            say("glimpsed: \(error.description)")
            throw ExitStatus(error)
        }
    }
}
