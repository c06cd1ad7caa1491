// SPDX-License-Identifier: Apache-2.0
import ControlSocket
import EventLog
import NIOCore
import PictureStorage
import Search
import Settings
import WorkerChannel
import Workers

/// Carries out the commands of the control socket. It belongs to one event loop.
final class Controller {
    private let workers: Workers
    private let reloader: Reloader
    private let demand: Demand
    private let eventLoop: any EventLoop
    private let forget: (ForgetSelection) -> EventLoopFuture<ControlReply>
    private let history: HistoryReading
    private let clips: ClipReading
    /// The picture that an event in memory names, by its place.
    private let knownPicture: (HistoryPlace) -> (pipeline: String, file: String)?
    /// The current state of the daemon without its pipelines.
    private let about: () -> DaemonStatus
    private let metrics: () -> DaemonMetrics
    /// Connections that carry pictures. Half of the socket's peers stay free for commands.
    private static let mostViewers = 32
    private var viewers = 0

    init(
        workers: Workers, reloader: Reloader, demand: Demand, eventLoop: any EventLoop,
        history: HistoryReading, knownPicture: @escaping (HistoryPlace) -> (pipeline: String, file: String)?,
        forget: @escaping (ForgetSelection) -> EventLoopFuture<ControlReply>,
        about: @escaping () -> DaemonStatus, metrics: @escaping () -> DaemonMetrics
    ) {
        self.workers = workers
        self.reloader = reloader
        self.demand = demand
        self.eventLoop = eventLoop
        self.history = history
        clips = ClipReading(eventLoop: eventLoop)
        self.knownPicture = knownPicture
        self.forget = forget
        self.about = about
        self.metrics = metrics
    }

    func fulfil(_ command: ControlCommand) -> EventLoopFuture<ControlReply> {
        eventLoop.preconditionInEventLoop()
        switch command {
        case .status(let layout):
            return eventLoop.makeSucceededFuture(status(layout: layout))
        case .metrics(let format):
            let metrics = metrics()
            return eventLoop.makeSucceededFuture(
                .done { json in
                    json.member("content_type", format.contentType)
                    json.key("text")
                    json.element(raw: metrics.json(format))
                })
        case .reload(let dryRun):
            return reloader.reload(dryRun: dryRun).map { ControlReply($0, dryRun: dryRun) }
        case .pause(let name):
            return change(name) { worker throws(WorkerStateMachine.Refusal) in try worker.pause() }
        case .resume(let name):
            return change(name) { worker throws(WorkerStateMachine.Refusal) in try worker.resume() }
        case .restart(let name):
            return change(name) { worker throws(WorkerStateMachine.Refusal) in try worker.restart() }
        case .focus(let name, let detector, let track):
            return eventLoop.makeSucceededFuture(focus(WorkerFocus(detector: detector, track: track), name))
        case .snapshot(let name, let isCaptioned):
            return snapshot(name, isCaptioned: isCaptioned)
        case .view(let view):
            return eventLoop.makeSucceededFuture(self.view(view))
        case .history(let query):
            return history.list(query)
        case .picture(let stored, _):
            return picture(stored)
        case .clips(let query):
            return withClips { clips.list(query, in: $0, mayLeave: $1) }
        case .clip(let file, _):
            return withClips { clips.file(file, in: $0, mayLeave: $1) }
        case .accept(let file):
            return eventLoop.makeSucceededFuture(accept(file))
        case .forget(let selection):
            return forget(selection)
        case .search(let command, let name):
            return eventLoop.makeSucceededFuture(search(command, name))
        }
    }

    /// - Parameter request: returns the future that completes when the request is carried out.
    private func change(
        _ name: String, _ request: (Worker) throws(WorkerStateMachine.Refusal) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<ControlReply> {
        do throws(WorkerStateMachine.Refusal) {
            let done = try request(workers.worker(name))
            let bound = NIOLoopBound(workers, eventLoop: eventLoop)
            return done.map {
                let status = bound.value.status(ofPipeline: name)
                let (state, process) = (status?.ledger.state, status?.process)
                return .done { json in
                    json.member("pipeline", name)
                    if let state { json.member("state", state) }
                    if let process { json.member("pid", process) }
                }
            }
        } catch {
            return eventLoop.makeSucceededFuture(.failed("pipeline \(name): \(error)"))
        }
    }

    private func focus(_ focus: WorkerFocus, _ name: String) -> ControlReply {
        do throws(WorkerStateMachine.Refusal) {
            try workers.worker(name).focus(focus)
        } catch {
            return .failed("pipeline \(name): \(error)")
        }
        return .done { json in
            json.member("pipeline", name)
            json.member("detector", focus.detector)
            if let track = focus.track { json.member("id", String(track)) }
        }
    }

    private func search(_ command: SearchCommand, _ name: String) -> ControlReply {
        do throws(WorkerStateMachine.Refusal) {
            try workers.worker(name).search(command)
        } catch {
            return .failed("pipeline \(name): \(error)")
        }
        return .done { json in json.member("pipeline", name) }
    }

    /// Takes a snapshot. Each pipeline has one file: a new picture replaces the previous one.
    private func snapshot(_ name: String, isCaptioned: Bool) -> EventLoopFuture<ControlReply> {
        guard let folder = reloader.configuration.snapshotsFolder else {
            return eventLoop.makeSucceededFuture(.failed("pictures are disabled: daemon.no_images is true"))
        }
        let path = "\(folder)/\(name).jpg"
        if let problem = StateFolder.make(folder, mode: 0o750) {
            return eventLoop.makeSucceededFuture(.failed(problem))
        }
        let bound = NIOLoopBound(workers, eventLoop: eventLoop)
        do throws(WorkerStateMachine.Refusal) {
            return try demand.recording(name) { () throws(WorkerStateMachine.Refusal) in
                try workers.worker(name).ask(
                    .snapshot(path: path, isCaptioned: isCaptioned),
                    silence: "its source gave no frame within 5 seconds")
            }.map { error in
                if let error {
                    // A request also fails where the frames that came may not leave.
                    let withheld = bound.value.status(ofPipeline: name)?.meter.withholding
                    let reason = withheld.map { "; no picture may leave: \($0)" } ?? ""
                    return .failed("pipeline \(name): \(error)\(reason)")
                }
                return .done { json in
                    json.member("pipeline", name)
                    json.member("file", path)
                }
            }
        } catch {
            return eventLoop.makeSucceededFuture(.failed("pipeline \(name): \(error)"))
        }
    }

    /// Checks the request; the connection goes to the worker after the reply. A view is demand.
    private func view(_ view: PictureView) -> ControlReply {
        let name = view.pipeline
        let form = ViewerRequest.PictureForm(width: view.width, rate: view.rate)
        if reloader.configuration.snapshotsFolder == nil {
            return .failed("pipeline \(name): pictures are disabled: daemon.no_images is true")
        }
        if reloader.configuration.pipelines[name]?.settings.privacy.pictures == false {
            return .failed("pipeline \(name): pictures are disabled: privacy.pictures is false")
        }
        if view.isVideo,
            let reason = reloader.configuration.pipelines[name]?.settings.videoObstacle(allowsPictures: true)
        {
            return .failed("pipeline \(name): the camera's own video cannot be passed on: \(reason)")
        }
        guard viewers < Self.mostViewers else {
            return .failed("pipeline \(name): \(Self.mostViewers) viewers are connected")
        }
        let ended = eventLoop.makePromise(of: Void.self)
        do throws(WorkerStateMachine.Refusal) {
            _ = try demand.recording(name) { () throws(WorkerStateMachine.Refusal) in
                try workers.worker(name).checkForViewers()
                return ended.futureResult
            }
        } catch {
            ended.succeed()
            return .failed("pipeline \(name): \(error)")
        }
        viewers += 1
        var reply = ControlReply.done { json in
            json.member("pipeline", name)
            if view.isVideo {
                json.member("mode", "h264")
            } else {
                json.member("width", form.width)
                json.member("rate", form.rate)
            }
        }
        reply.handover = handover(view.isVideo ? .video : .pictures(form), name, ended)
        return reply
    }

    private func handover(
        _ request: ViewerRequest, _ name: String, _ ended: EventLoopPromise<Void>
    ) -> ConnectionHandover {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let place = NIOLoopBoundBox<(worker: Worker, number: UInt64)?>(nil, eventLoop: eventLoop)
        return ConnectionHandover { descriptor, close in
            do throws(WorkerStateMachine.Refusal) {
                let worker = try bound.value.workers.worker(name)
                place.value = (worker, try worker.hand(descriptor, request, close: close))
            } catch {
                close()
            }
        } end: {
            bound.value.viewers -= 1
            if let (worker, number) = place.value { worker.viewerLeft(number) }
            ended.succeed()
        }
    }

    private func picture(_ picture: StoredPicture) -> EventLoopFuture<ControlReply> {
        guard let folder = reloader.configuration.snapshotsFolder else {
            return eventLoop.makeSucceededFuture(.failed("pictures are disabled: daemon.no_images is true"))
        }
        switch picture {
        case .entry(let place):
            return history.picture(place, known: knownPicture(place), in: folder, mayLeave: mayLeave)
        case .file(let path): return history.picture(path, in: folder, mayLeave: mayLeave)
        }
    }

    private func withClips(
        _ read: (_ folder: String, _ mayLeave: @escaping @Sendable (String) -> Bool) -> EventLoopFuture<ControlReply>
    ) -> EventLoopFuture<ControlReply> {
        guard let folder = reloader.configuration.clipsFolder else {
            return eventLoop.makeSucceededFuture(.failed("pictures are disabled: daemon.no_images is true"))
        }
        return read(folder, mayLeave)
    }

    /// Whether stored pictures of a pipeline may leave, by the present configuration.
    private var mayLeave: @Sendable (String) -> Bool {
        let withheld = Set(
            reloader.configuration.pipelines.filter { !$0.value.settings.privacy.pictures }.map(\.key))
        return { !withheld.contains($0) }
    }

    private func accept(_ file: String) -> ControlReply {
        guard let folder = reloader.configuration.snapshotsFolder else {
            return .failed("pictures are disabled: daemon.no_images is true")
        }
        if let problem = PictureStore.accept(file, in: folder) { return .failed(problem) }
        return .done { $0.member("file", file) }
    }

    private func status(layout: Bool) -> ControlReply {
        let configuration = reloader.configuration
        let pipelines = workers.names.compactMap { name in
            workers.status(ofPipeline: name).map { status in
                (status, layout ? configuration.pipelines[name].map { PipelineLayout($0.settings) } : nil)
            }
        }
        let (about, hasPictures) = (about(), configuration.snapshotsFolder != nil)
        return .done { json in
            about.encode(to: &json)
            json.array("pipelines") { json in
                for (status, layout) in pipelines {
                    json.object { json in
                        status.encode(to: &json)
                        layout?.encode(to: &json, hasPictures: hasPictures)
                    }
                }
            }
        }
    }
}
