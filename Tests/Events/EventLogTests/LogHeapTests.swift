// SPDX-License-Identifier: Apache-2.0
import CHeap
import GlimpseTesting
import Observations
import Testing

@testable import EventLog

/// A daemon runs for years. Temporary objects must leave no memory behind.
struct LogHeapTests {
    /// A removed pipeline keeps a name and two numbers, whatever lines it had.
    @Test func aRemovedPipelineLeavesFewHeapBlocks() async {
        // The test runs in a separate process, without the allocations of other tests.
        await #expect(processExitsWith: .success) {
            var log = EventLog(runID: "0123456789abcdef", limits: .init(events: 20, bytes: 1 << 20))
            func comeAndGo(_ names: Range<Int>) {
                for number in names {
                    var events = SampleEvents(pipeline: "camera-\(number)", tags: ["site": "north", "floor": "2"])
                    let index = log.addPipeline(events.identity)
                    log.startPipeline(index)
                    log.append(events.source(.lost, error: "the camera is gone"), pipeline: index)
                    log.append(events.detector("face", operational: true), pipeline: index)
                    log.append(events.track(.detected, id: 1, frame: 1), pipeline: index)
                    log.completeTracks(ofPipeline: index, reason: .reload)
                    log.removePipeline(index)
                }
            }
            comeAndGo(0..<100)
            let before = heap_in_use()
            comeAndGo(100..<1100)
            let each = (Int(heap_in_use()) - Int(before)) / 1000
            // The array of ledgers may have doubled: room for two, and for the name and the numbers of one.
            let room = 2 * MemoryLayout<PipelineLedger>.stride + 150
            #expect(each < room, "\(each) of \(room) bytes for each")
        }
    }

    /// Frames, tracks, losses and restarts of one pipeline, with a journal that is full.
    @Test func theLinesOfAPipelineLeaveNoHeapBlocks() async {
        await #expect(processExitsWith: .success) {
            var log = EventLog(runID: "0123456789abcdef", limits: .init(events: 20, bytes: 1 << 20))
            var events = SampleEvents(pipeline: "door")
            let index = log.addPipeline(events.identity)
            func live(_ tracks: ClosedRange<UInt64>) {
                for id in tracks {
                    log.append(events.track(.detected, id: id, frame: id), pipeline: index)
                    log.append(events.track(.update, id: id, frame: id), pipeline: index)
                    if id % 3 == 0 { log.append(events.track(.missing, id: id, frame: id), pipeline: index) }
                    if id % 10 == 0 {
                        log.completeTracks(ofPipeline: index, reason: .sourceLost)
                        log.append(events.source(.lost, error: "the camera is gone"), pipeline: index)
                        log.startPipeline(index)
                    }
                }
            }
            // Ids and sequence numbers of four digits, here and below: lines of one length.
            live(1000...1999)
            // The runtime's own threads may allocate meanwhile. A leak of tracks would show after every thousand of
            // them.
            let growth = (2...6 as ClosedRange<UInt64>).map { thousand in
                let before = Int(heap_in_use())
                live(1000 * thousand...1000 * thousand + 999)
                return Int(heap_in_use()) - before
            }
            #expect(growth.contains { $0 <= 0 }, "\(growth)")
        }
    }
}
