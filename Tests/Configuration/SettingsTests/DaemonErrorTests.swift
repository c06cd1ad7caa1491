// SPDX-License-Identifier: Apache-2.0
// Long lines, because a row is a text and its exact message.
// swift-format-ignore-file

import Testing

@testable import Settings

/// Exact messages of the daemon's file.
struct DaemonErrorTests {
    static let rows: [(text: String, message: String)] = [
        ("[daemn]\n", #"c.toml:1: unknown table "daemn"; did you mean "daemon"?"#),
        ("[daemon]\npipeline = \"x\"\n", #"c.toml:2: [daemon] unknown key "pipeline"; did you mean "pipelines"?"#),
        ("[daemon]\nlog_level = \"warn\"\n", #"c.toml:2: [daemon] log_level must be one of "trace", "debug", "info", "notice", "warning", "error", "critical", not "warn""#),
        ("[daemon]\nstop_limit = 5\n", #"c.toml:2: [daemon] stop_limit must be a duration such as "250ms" or "10s", not an integer"#),
        ("[daemon]\nstop_limit = \"2h\"\n", #"c.toml:2: [daemon] stop_limit must be 1ms to 1h, not "2h""#),
        ("[daemon]\nwatch_files = 0\n", #"c.toml:2: [daemon] watch_files must be true or false, not an integer"#),
        ("daemon = 5\n", #"c.toml:1: daemon must be a table, not an integer; write [daemon]"#),
        ("[events]\nmode = 0o660\n", #"c.toml:2: [events] mode must be permissions as octal digits such as "0660", not an integer"#),
        ("[events]\nmode = \"0680\"\n", #"c.toml:2: [events] mode must be permissions as octal digits such as "0660", not "0680""#),
        ("[events]\nmode = \"4755\"\n", #"c.toml:2: [events] mode must be permissions as octal digits such as "0660", not "4755""#),
        ("[events]\nqueue = \"4M\"\n", #"c.toml:2: [events] queue must be a byte count such as "64MiB", not "4M"; a whole number and B, KiB, MiB, GiB, TiB, kB, MB, GB or TB"#),
        ("[events]\nqueue = \"4KiB\"\n", #"c.toml:2: [events] queue must be at least 64KiB, not "4KiB""#),
        ("[events]\nqueue = 4096\n", #"c.toml:2: [events] queue must be a byte count such as "64MiB", not an integer"#),
        ("[events]\njournal_disk = \"1KiB\"\n", #"c.toml:2: [events] journal_disk must be "" or at least 1MiB"#),
        ("[retention]\nevents = \"7d\"\n", #"c.toml:2: [retention] events must be [age, size], not a string"#),
        ("[retention]\nevents = [\"7d\"]\n", #"c.toml:2: [retention] events must be [age, size], not 1 values"#),
        ("[retention]\nevents = [\"7d\", \"1KiB\"]\n", #"c.toml:2: [retention] events[1] must be "" or at least 1MiB"#),
        ("[retention]\npictures = [7, \"1GiB\"]\n", #"c.toml:2: [retention] pictures[0] must be a duration such as "250ms" or "10s", not an integer"#),
        ("[retention]\nhistory = \"0s\"\n", #"c.toml:2: [retention] history must be 1s to 36500d, not "0s""#),
        ("[retention]\nhistory = \"9d\"\n[events]\nhistory_age = \"9d\"\n", #"c.toml:4: [events] history_age and history in [retention] say the same; remove history_age"#),
        ("[events]\nmax_subscribers = 0\n", #"c.toml:2: [events] max_subscribers must be 1 to 1000000, not 0"#),
        ("[events]\nsocket = \"\"\n", #"c.toml:2: [events] socket must not be empty"#),
        ("[events]\nsocket = \"/\(String(repeating: "s", count: 107))\"\n", #"c.toml:2: [events] socket must be at most 107 bytes, not 108; Linux allows no longer address for a Unix socket"#),
        ("[control]\nsocket = \"/run/glimpsed/events.sock\"\n", #"c.toml:2: [control] socket is the same in [events] and [control]"#),
        ("[control]\nallow_users = \"root\"\n", #"c.toml:2: [control] allow_users must be an array, not a string"#),
        ("[workers]\nrestart_backoff = [\"1s\"]\n", #"c.toml:2: [workers] restart_backoff must be two durations, [first, longest], not 1"#),
        ("[workers]\nrestart_backoff = [\"30s\", \"1s\"]\n", #"c.toml:2: [workers] restart_backoff must begin with the shorter of the two"#),
        ("[workers]\nrestart_backoff = [\"1s\", 5]\n", #"c.toml:2: [workers] restart_backoff[1] must be a duration such as "250ms" or "10s", not an integer"#),
        ("[workers]\nmemory_limit = \"512\"\n", #"c.toml:2: [workers] memory_limit must be a byte count such as "64MiB", not "512"; a whole number and B, KiB, MiB, GiB, TiB, kB, MB, GB or TB"#),
        ("[workers]\nmemory_limit = \"512B\"\n", #"c.toml:2: [workers] memory_limit must be "0" (none) or at least 1MiB"#),
        ("[workers]\ncrash_limit = 1.5\n", #"c.toml:2: [workers] crash_limit must be an integer, not a float"#),
    ]

    @Test(arguments: rows)
    func eachErrorOfDaemonSettingsHasItsMessage(text: String, message: String) {
        #expect(daemonProblems(text) == [message])
    }

    @Test func problemsOfTheDaemonsFileAreReportedAtOnceByLine() {
        let text = "[workers]\ncrash_limit = 0\nx = 1\n[daemon]\nwatch_files = 1\n[event]\n"
        #expect(
            daemonProblems(text) == [
                "c.toml:2: [workers] crash_limit must be 1 to 1000, not 0",
                #"c.toml:3: [workers] unknown key "x"; one of cpu_limit, cpu_weight, crash_dump, crash_limit, crash_window, memory_limit, nice, restart_backoff, sandbox, stall_limit, thread_limit"#,
                "c.toml:5: [daemon] watch_files must be true or false, not an integer",
                #"c.toml:6: unknown table "event"; did you mean "events"?"#,
            ])
    }
}
