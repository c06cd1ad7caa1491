// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Settings

struct UnitsTests {
    @Test(arguments: [
        ("0s", Duration.zero), ("250ms", .milliseconds(250)), ("10s", .seconds(10)), ("2m", .seconds(120)),
        ("1h", .seconds(3600)), ("1d", .seconds(86400)), ("007s", .seconds(7)),
    ])
    func durationsAreRead(text: String, duration: Duration) {
        #expect(Units.duration(text) == duration)
    }

    @Test(arguments: [
        "", "0", "10", "s", "1.5s", "-1s", "+1s", " 1s", "1 s", "1s ", "1S", "1sec", "1m30s", "1us", "٣s", "½s",
        "86400000001s", "99999999999d", "9999999999999999999999s", "0x10s",
    ])
    func invalidDurationsAreRefused(text: String) {
        #expect(Units.duration(text) == nil)
    }

    @Test(arguments: [
        ("0", 0), ("0B", 0), ("512B", 512), ("4KiB", 4096), ("64MiB", 67_108_864), ("1GiB", 1_073_741_824),
        ("1TiB", 1_099_511_627_776), ("1kB", 1000), ("1KB", 1000), ("1GB", 1_000_000_000),
    ])
    func byteCountsAreRead(text: String, count: Int) {
        #expect(Units.byteCount(text) == count)
    }

    @Test(arguments: ["", "1", "00", "4M", "4 MiB", "4mib", "-1B", "1.5MiB", "MiB", "9223372036854775807KiB"])
    func invalidByteCountsAreRefused(text: String) {
        #expect(Units.byteCount(text) == nil)
    }

    @Test(arguments: ["0s", "1ms", "1500ms", "90s", "2m", "1h", "365d"])
    func durationsReadBack(text: String) throws {
        #expect(Units.text(try #require(Units.duration(text))) == text)
    }

    @Test(arguments: ["0", "1B", "1000B", "4KiB", "1537KiB", "64MiB", "1GiB", "3TiB"])
    func byteCountsReadBack(text: String) throws {
        #expect(Units.text(byteCount: try #require(Units.byteCount(text))) == text)
    }
}
