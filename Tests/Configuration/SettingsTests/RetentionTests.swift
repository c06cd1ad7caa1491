// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Settings

/// `[retention]`, and the keys that it replaces.
struct RetentionTests {
    private let pipeline = "[source]\nkind = \"test\"\n[face]\n[snapshot]\n"

    @Test func replacedRetentionKeysAreAcceptedWithAWarning() throws {
        try withFolder { folder in
            let file = try folder.write(
                "config.toml", "[events]\njournal_disk = \"64MiB\"\njournal_age = \"2d\"\nhistory_age = \"3d\"\n")
            let door = try folder.write("pipelines/door.toml", pipeline + "max_age = \"4d\"\nmax_bytes = \"2MiB\"\n")
            let check = ConfigurationCheck(file: file)
            #expect(check.problems == [])
            let retention = check.daemon.retention
            #expect(retention.events == .init(age: .seconds(2 * 86_400), size: 64 << 20))
            #expect(retention.history == .seconds(3 * 86_400))
            #expect(
                check.pipelines[0].snapshot?.limits(retention.pictures)
                    == .init(age: .seconds(4 * 86_400), size: 2 << 20))
            let events =
                #"deprecated: events in [retention] replaces it; write events = ["2d", "64MiB"] in [retention]"#
            let pictures =
                #"pictures in [retention] of the daemon's file replaces it; write pictures = ["4d", "2MiB"] there"#
            #expect(
                check.warnings.map(\.description) == [
                    "\(file):2: [events] journal_disk is \(events)",
                    "\(file):3: [events] journal_age is \(events)",
                    "\(file):4: [events] history_age is deprecated: history in [retention] replaces it; "
                        + "write history = \"3d\" in [retention]",
                    "\(door):5: [snapshot] max_age is deprecated: \(pictures)",
                    "\(door):6: [snapshot] max_bytes is deprecated: \(pictures)",
                ])
        }
    }

    @Test func replacedRetentionKeysAreErrorsBesideTheirReplacement() throws {
        try withFolder { folder in
            let file = try folder.write(
                "config.toml",
                """
                [retention]
                events = ["7d", "64MiB"]
                pictures = ["1d", "1GiB"]
                [events]
                journal_disk = "64MiB"
                history_age = "3d"
                """)
            let door = try folder.write("pipelines/door.toml", pipeline + "max_age = \"4d\"\n")
            let check = ConfigurationCheck(file: file)
            #expect(
                check.problems.map(\.description) == [
                    "\(file):5: [events] journal_disk and events in [retention] say the same; remove journal_disk",
                    "\(door):5: [snapshot] max_age and pictures in [retention] of the daemon's file say the same; "
                        + "remove max_age",
                ])
        }
    }

    @Test func aPipelineLoadedAloneWarnsOfReplacedRetentionKeys() throws {
        try withFolder { folder in
            let file = try folder.write("door.toml", pipeline + "max_bytes = \"2MiB\"\n")
            var warnings: [String] = []
            _ = try PipelineSettings.load(file: file) { warnings.append($0.problem) }
            #expect(
                warnings == ["max_bytes is deprecated: pictures in [retention] of the daemon's file replaces it"])
        }
    }

    @Test func retentionOfPicturesHoldsForPipelinesWithoutLimitsOfTheirOwn() throws {
        let daemon = try DaemonSettings.parse("retention.pictures = [\"1d\", \"1MiB\"]")
        let settings = try PipelineSettings.parse(pipeline)
        #expect(settings.snapshot?.limits(daemon.retention.pictures) == .init(age: .seconds(86_400), size: 1 << 20))
    }
}
