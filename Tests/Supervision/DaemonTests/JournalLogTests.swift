// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Logging
import ServiceManager
import SocketAddresses
import LogSupport
import Testing

@testable import Daemon

@Suite struct JournalLogTests {
    private let scope = TestScope()

    @Test func logEntriesHaveMetadataFieldsAndMessageIDs() {
        let entry = JournalLog.entry(
            level: .warning, message: "source lost",
            metadata: ["pipeline": "door", LoggedEvent.key: "\(LoggedEvent.sourceState.rawValue)"])
        #expect(
            String(decoding: entry.bytes, as: UTF8.self) == """
                MESSAGE=source lost pipeline=door
                PRIORITY=4
                SYSLOG_IDENTIFIER=glimpsed
                EVENT=source_state
                MESSAGE_ID=281e084b1c6f487b9ec924388283e705
                PIPELINE=door

                """)
    }

    @Test func everyMessageIDOfTheLogIsUniqueAndHas128Bits() {
        let ids = LoggedEvent.allCases.map(\.messageID)
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test func thePageOfTheLogListsEachMessageID() throws {
        let page = try String(contentsOfFile: "\(Checkout.root)/docs/reference/systemd.md", encoding: .utf8)
        for event in LoggedEvent.allCases { #expect(page.contains("`\(event.rawValue)`")) }
    }

    @Test func aLogWithoutTheSystemdJournalIsNotMade() {
        #expect(JournalLog(path: scope.path("nobody"), level: .info) == nil)
    }

    /// A systemd journal that does not read loses entries, which are counted, and never blocks.
    @Test func aLogEntryForAFullSystemdJournalIsWrittenLater() throws {
        let journal = DatagramReader(scope.path("journal"))
        let log = try #require(JournalLog(path: journal.path, level: .info))
        let logger = Logger(label: "test") { _ in log }
        for index in 0..<5000 { logger.info("entry \(index) \(String(repeating: "x", count: 500))") }
        let taken = journal.readAll()
        #expect(taken.count < 5000 && taken.first?.contains("MESSAGE=entry 0 ") == true)
        logger.info("the next")
        let later = journal.readAll()
        #expect(later.count == 2 && later.first?.contains("MESSAGE=the next\n") == true)
        #expect(
            later.last?.contains("MESSAGE=the system journal dropped \(5000 - taken.count) entries of this log\n")
                == true)
    }
}

/// A stand-in for the socket of systemd-journald.
private final class DatagramReader {
    let path: String
    private let descriptor: CInt

    init(_ path: String) {
        self.path = path
        descriptor = socket(AF_UNIX, CInt(bitPattern: SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let bound = UnixAddress(path: path)?.with { [descriptor] in bind(descriptor, $0, $1) }
        precondition(bound == 0)
    }

    deinit { close(descriptor) }

    func readAll() -> [String] {
        var all: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT)), count >= 0 {
            all.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
        return all
    }
}
