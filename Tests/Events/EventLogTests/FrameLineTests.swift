// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing

@testable import EventLog

/// The line of a processed frame, and the log, which does not keep it.
@Suite struct FrameLineTests {
    private var events = SampleEvents()

    @Test mutating func theFrameLineHasCountsAlsoWhereTheyAreZero() throws {
        let line = events.frame(3, count: 2, inView: 1, missing: 1).line
        #expect(
            String(decoding: line, as: UTF8.self)
                == #"{"v":1,"type":"frame","pipeline":"door","time":"1970-01-01T00:00:00.099999999Z","clock":"file","#
                + #""frame":{"epoch":1,"seq":3,"pts_ns":99999999,"width":1280,"height":720,"rotation":0,"mirrored":false},"#
                + #""detector":"face","kind":"face","count":2,"in_view":1,"missing":1}"# + "\n")
        let empty = events.frame(4)
        let coalesced = empty.line(standingFor: 7)
        #expect(
            String(decoding: coalesced, as: UTF8.self).hasSuffix(
                #""count":0,"in_view":0,"missing":0,"coalesced":7}"# + "\n"))
        #expect(try EventSchema.violations(in: [line, empty.line, coalesced]) == [])
        // A frame line has no sequence number.
        #expect(try !EventSchema.violations(in: [empty.line(sequence: 1, runID: "r")]).isEmpty)
    }

    @Test mutating func theLogKeepsNoFrameLines() {
        var log = EventLog(runID: "run", limits: .init(events: 100, bytes: 1 << 20))
        log.addPipeline(events.identity)
        let frame = events.frame(1)
        var other = SampleEvents(pipeline: "porch")
        let detector = events.detector("face", operational: true)
        let isKept = log.append(frame, pipeline: 0)
        #expect(!isKept && log.journal.count == 0)
        // A detector that has never reported itself has no frame lines.
        let isAdmittedBefore = log.admits(frame, ofPipeline: 0)
        log.append(detector, pipeline: 0)
        let isAdmittedAfter = log.admits(frame, ofPipeline: 0)
        #expect(!isAdmittedBefore && isAdmittedAfter)
        for foreign in [other.frame(1), events.track(.update, id: 1)] {
            let isAdmitted = log.admits(foreign, ofPipeline: 0)
            #expect(!isAdmitted)
        }
        let (isExplained, isStored) = (
            log.admits(events.explanation(1), ofPipeline: 0), log.append(events.explanation(1), pipeline: 0)
        )
        #expect(isExplained && !isStored)
        #expect(log.refused == 5 && log.journal.count == 1)
    }
}
