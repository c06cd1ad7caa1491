// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import Testing
import UnixSocket

@testable import EventSocket

@Suite struct ArrivalTests {
    @Test func onlyAConnectionThatItsPeerHasClosedIsAbandoned() throws {
        var ends: [CInt] = [-1, -1]
        #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[0]) }
        let admission = Admission("events", .everybody, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        guard case .admitted(let place) = admission.verdict(on: ends[0]) else {
            Issue.record("refused")
            return
        }
        let arrival = ArrivalQueue.Arrival(descriptor: ends[0], place: place)
        #expect(!arrival.isAbandoned)
        #expect(send(ends[1], "{}\n", 3, 0) == 3)
        #expect(!arrival.isAbandoned)
        // The peer says nothing more, and waits for the answer.
        #expect(shutdown(ends[1], CInt(SHUT_WR)) == 0)
        #expect(!arrival.isAbandoned)
        close(ends[1])
        #expect(arrival.isAbandoned)
    }
}
