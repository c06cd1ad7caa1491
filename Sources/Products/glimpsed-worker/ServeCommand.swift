// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import ArgumentParser
import Assembly
import CProcess
import Installation
import Observations
import Pipelines
import ProgramHost
import Settings
import WorkerChannel

/// The command that the daemon starts. It reads its configuration from standard input and writes framed events to
/// standard output.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run one pipeline for the daemon.", shouldDisplay: false)

    func run() throws {
        // The end of standard input also reports the supervisor's death, but not to a stopped process.
        guard glimpse_die_with_parent(getppid()) == 0 else { throw ExitStatus.failed }
        let inlet = ViewerInlet.open()
        let channel = try SupervisorChannel.open()
        guard let configuration = channel.receiveConfiguration() else {
            say("this command is for the daemon: standard input has no configuration")
            throw ExitStatus.usage
        }
        let settings: PipelineSettings
        do {
            settings = try PipelineSettings.parse(configuration.text, file: configuration.file)
        } catch {
            say(error.description)
            throw ExitStatus.configuration
        }
        let models = configuration.modelsDirectory.isEmpty ? nil : configuration.modelsDirectory
        let resources = ResourceFolders.ofThisProcess(modelsFolder: models)
        // This process may start no program once it is restricted.
        let hosts = ProgramHost.hosts(of: settings)
        if configuration.isRestricted { try Self.restrict(configuration, settings, resources) }
        let run = PipelineAssembly(
            settings, resources: resources, epoch: configuration.epoch,
            firstTrack: TrackID(configuration.firstTrack), fault: .ofThisProcess,
            crashFile: configuration.crashFile.isEmpty ? nil : configuration.crashFile,
            pictures: configuration.pictures, retention: configuration.retention,
            clips: configuration.clips, starters: hosts, complain: say)
        // The daemon first sends a stop message over the channel. A signal comes from its second attempt, or from a
        // person.
        let signals = Signals { run.stop(.shutdown) }
        channel.listen { Self.fulfil($0, run, configuration.file, channel) }
        inlet?.listen { descriptor, request in
            switch request {
            case .pictures(let form): run.viewers.add(descriptor, width: form.width, rate: form.rate)
            case .video: run.video.add(descriptor)
            }
        }
        channel.beat { run.metrics }
        let outcome = withExtendedLifetime(signals) { run.run(into: channel, stages: true, complain: say) }
        // The last heartbeat is up to half a second old.
        channel.send([.heartbeat(run.metrics)])
        if case .failed(let error) = outcome {
            say(error.description)
            throw ExitStatus(error)
        }
    }

    private static func fulfil(
        _ message: ToWorker, _ run: PipelineAssembly, _ file: String, _ channel: SupervisorChannel
    ) {
        switch message {
        case .stop(let reason): run.stop(reason)
        case .focus(let focus):
            do {
                try run.requestFocus(detector: focus.detector, on: focus.track.map { TrackID($0) })
            } catch {
                say("focus: \(error)")
            }
        case .takeOver(let text):
            // The daemon has checked the settings.
            guard let settings = try? PipelineSettings.parse(text, file: file), run.takeOver(settings) else {
                return say("error: the new settings require a new worker; the old settings remain")
            }
        case .search(let command):
            do {
                try run.command(command)
            } catch {
                say("warning: search: \(error)")
            }
        case .requestedLines(let lines): run.write(lines)
        case .request(let number, .snapshot(let path, let isCaptioned)):
            run.snapshots.request(path, isCaptioned: isCaptioned) { channel.send([.answer(number, error: $0)]) }
        }
    }
}

extension WorkerConfiguration {
    fileprivate var retention: RetentionSettings.Limits<Int> {
        .init(age: .seconds(pictureAge), size: Int(clamping: pictureBytes))
    }

    fileprivate var clips: ClipPlace? {
        clipsFolder.isEmpty
            ? nil
            : ClipPlace(folder: clipsFolder, limits: .init(age: .seconds(clipAge), size: Int(clamping: clipBytes)))
    }

    fileprivate var pictures: PictureAccess {
        if !allowsPictures { return .none }
        return picturesFolder.isEmpty ? .inMemory : .folder(picturesFolder)
    }
}
