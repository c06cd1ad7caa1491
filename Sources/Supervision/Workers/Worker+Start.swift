// SPDX-License-Identifier: Apache-2.0
import EventLines
import LogSupport
import Logging
import NIOCore

/// The start of a worker's process.
extension Worker {
    /// Starts a process as soon as the pace of starts allows it.
    func spawnInTurn(_ epoch: UInt64) {
        let wait = pace.reserve(at: .now) - .now
        guard wait > .zero else { return spawn(epoch) }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        waitingStart = eventLoop.scheduleTask(in: TimeAmount(wait)) {
            bound.value.waitingStart = nil
            bound.value.spawn(epoch)
            bound.value.perform([])
        }
    }

    /// Ends a worker that was asked to stop before its start.
    func giveUpStart() {
        waitingStart?.cancel()
        waitingStart = nil
        perform(machine.spawnFailed("it was stopped before its start", at: .now, jitter: 0))
    }

    private func spawn(_ epoch: UInt64) {
        if isReconfigured {
            stream.record { _ = $0.addPipeline(pipeline.identity, places: pipeline.places) }
            isReconfigured = false
        }
        do throws(WorkersError) {
            let child = try launcher.launch()
            resourceControl.take(child.pid, of: pipeline.identity.name, logger)
            logger.info(
                "worker started",
                metadata: [
                    "pid": "\(child.pid)", "epoch": "\(epoch)",
                    LoggedEvent.key: "\(LoggedEvent.workerStarted.rawValue)",
                ])
            let pipes = WorkerPipes(child, epoch: epoch, receiver: self, eventLoop: eventLoop)
            current = Process(
                child: child, pipes: pipes, epoch: epoch, log: WorkerLog(logger: logger, at: .now))
            stream.record { $0.startPipeline(index) }
            let firstTrack = stream.log.nextTrack(ofPipeline: index)
            // A run may continue over restarts of the daemon, so the epoch includes the starts before this daemon.
            let inRun = stream.log.epochs(ofPipeline: index) + epoch
            pipes.send(pipeline.configuration(epoch: inRun, firstTrack: firstTrack))
            tellAttendance()
            if !requestedLines.isEmpty { send(.requestedLines(requestedLines)) }
            reaper.watch(child.pid) { [self] exit in
                if current?.epoch == epoch { current?.isReaped = true }
                perform(machine.exited(exit, at: .now, jitter: .random(in: 0..<1)))
            }
        } catch {
            perform(machine.spawnFailed(error.description, at: .now, jitter: .random(in: 0..<1)))
        }
    }
}
