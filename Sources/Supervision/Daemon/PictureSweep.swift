// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Logging
import NIOCore
import PictureStorage

/// Deletes old pictures that no worker deletes, once an hour and after each reload. It belongs to one event
/// loop; its own queue accesses the files.
final class PictureSweep {
    private static let interval = TimeAmount.hours(1)

    private let queue = DispatchQueue(label: "glimpsed.pictures", qos: .utility)
    private let logger: Logger
    private let eventLoop: any EventLoop
    private var configuration: Configuration
    private var timer: RepeatedTask?

    init(_ configuration: Configuration, eventLoop: any EventLoop, logger: Logger) {
        self.configuration = configuration
        self.eventLoop = eventLoop
        self.logger = logger
    }

    func start() {
        eventLoop.preconditionInEventLoop()
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        timer = eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: Self.interval) { _ in bound.value.sweep() }
    }

    func stop() { timer?.cancel() }

    /// Takes a configuration that has come into force.
    func configure(_ configuration: Configuration) {
        eventLoop.preconditionInEventLoop()
        self.configuration = configuration
        sweep()
    }

    private func sweep() {
        // The folder may contain older pictures even if no picture may be made now.
        let folder = "\(configuration.daemon.daemon.stateDirectory)/snapshots"
        let known = Set(configuration.pipelines.keys)
        let retention = configuration.daemon.retention.pictures
        let clips = "\(configuration.daemon.daemon.stateDirectory)/clips"
        let clipRetention = configuration.daemon.retention.clips
        let recording = Set(configuration.workers.filter { $0.clipsFolder != nil }.map(\.identity.name))
        queue.async { [logger] in
            let limits = PictureLimits(age: retention.age, bytes: retention.size)
            let deleted = ForgottenPictures.tidy(folder, known: known, limits: limits)
            if deleted > 0 { logger.info("deleted \(deleted) old pictures") }
            ForgottenPictures.tidyClips(
                clips, known: recording, limits: PictureLimits(age: clipRetention.age, bytes: clipRetention.size))
        }
    }
}
