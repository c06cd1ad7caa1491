// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// `glimpsed metrics` with the built daemon and scripted workers.
@Suite struct MetricsTests {
    private static let deaths = 100

    private let bench = DaemonBench()

    /// The samples of a text by name and labels, without comments.
    private func samples(_ text: String) -> [String: Double] {
        var samples: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            #expect(parts.count == 2 && samples[String(parts[0])] == nil, "\(line)")
            samples[String(parts[0])] = Double(parts[1])
        }
        return samples
    }

    private func scrape(_ arguments: String...) -> [String: Double] {
        let result = Program.run(
            Program.built("glimpsed"), ["metrics", "--config", bench.scope.path("config.toml")] + arguments)
        #expect(result.status == 0, "\(result)")
        return samples(String(decoding: result.output, as: UTF8.self))
    }

    private func isCounter(_ name: String) -> Bool {
        let name = name.prefix { $0 != "{" }
        return ["_total", "_bucket", "_sum", "_count"].contains { name.hasSuffix($0) }
    }

    @Test func countersOnlyIncreaseThroughAHundredDeathsOfWorkers() async throws {
        bench.configure(workers: "restart_backoff = [\"1ms\", \"1ms\"]\ncrash_limit = 1000\ncrash_window = \"1ms\"")
        bench.write("door", "connect; detector face yes; tracks 2; count 7; kill 9")
        let daemon = bench.run()
        _ = try await bench.subscribe()
        var (before, restarts): ([String: Double], Double) = ([:], 0)
        let diedOften = await holds(within: .seconds(300)) {
            let now = scrape()
            for (name, value) in before where isCounter(name) {
                #expect(now[name].map { $0 >= value } == true, "\(name): \(value), then \(now[name] ?? -1)")
            }
            before = now
            restarts = now[#"glimpse_worker_restarts_total{pipeline="door",reason="crash"}"#] ?? 0
            return restarts >= Double(Self.deaths)
        }
        #expect(diedOften, "\(restarts) restarts")
        // Each worker counts 7 of everything. The newest may not have done so.
        let allowed = [7 * restarts, 7 * (restarts + 1)]
        for name in [
            #"glimpse_frames_received_total{pipeline="door"}"#, #"glimpse_frames_decoded_total{pipeline="door"}"#,
            #"glimpse_detections_total{pipeline="door",detector="face"}"#,
            #"glimpse_frames_dropped_total{pipeline="door",detector="face",cause="busy"}"#,
            #"glimpse_stage_seconds_count{pipeline="door",detector="face",stage="detect"}"#,
            #"glimpse_stage_seconds_count{pipeline="door",stage="decode"}"#,
        ] {
            #expect(allowed.contains(before[name] ?? -1), "\(name) \(before[name] ?? -1) of \(restarts) restarts")
        }
        let ended = before[#"glimpse_tracks_completed_total{pipeline="door",kind="face",reason="source_lost"}"#] ?? 0
        #expect([2 * restarts, 2 * (restarts + 1)].contains(ended), "\(ended)")
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }

    @Test func aPipelineWithThreeDetectorsHasAtMost80Series() async throws {
        bench.configure()
        bench.scope.write(
            "pipelines/door.toml",
            """
            # script: connect
            [source]
            kind = "test"
            [face]
            [barcode]
            [object]
            [[zone]]
            name = "left"
            polygon = [[0, 0], [0.5, 0], [0.5, 1]]
            [[line]]
            name = "gate"
            from = [0.5, 0]
            to = [0.5, 1]
            kinds = ["face", "barcode"]
            """)
        bench.run()
        _ = try await bench.subscribe()
        let rows = scrape().keys.filter { $0.contains(#"pipeline="door""#) }
        let histogramRows = rows.filter { $0.hasPrefix("glimpse_stage_seconds_") }
        let series =
            rows.count - histogramRows.count + histogramRows.count { $0.hasPrefix("glimpse_stage_seconds_count") }
        #expect(series <= 80, "\(series)")
        #expect(rows.count <= 260, "\(rows.count)")
        let open = scrape("--format", "openmetrics")
        #expect(Set(open.keys.filter { $0.contains(#"pipeline="door""#) }) == Set(rows))
    }

    @Test func subscribersAreCountedInMetrics() async throws {
        bench.configure()
        bench.write("door", "connect; tracks 1; updates 200 5")
        bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        _ = try client.lines { $0.frame?.seq == 100 }
        #expect(
            await holds {
                let now = scrape()
                return now["glimpse_subscribers"] == 1 && (now["glimpse_journal_bytes"] ?? 0) > 0
                    && (now["process_open_fds"] ?? 0) > 3 && (now["process_start_time_seconds"] ?? 0) > 1.7e9
                    && now[#"glimpse_pipeline_state{pipeline="door",state="connected"}"#] == 1
                    && now[#"glimpse_tracks_live{pipeline="door",kind="face"}"#] == 1
            })
    }

    @Test func aMissedEventIsAGapInTheMetrics() async throws {
        bench.configure(events: "journal_events = 100")
        bench.write("door", "connect; tracks 1; updates 500 0")
        bench.run()
        // The journal has dropped the event after number 1. Further events could overtake the subscriber once more.
        #expect(
            await holds {
                let status = bench.command("status", "--json").lines.joined()
                return status.firstMatch(of: /"next_seq":(\d+)/).flatMap { Int($0.1) } ?? 0 > 500
            })
        let client = try await bench.subscribe()
        _ = await holds { scrape()["glimpse_subscribers"] == 1 }
        client.send(#"{"after":1}"#)
        _ = try client.lines { $0.type == "gap" }
        #expect(scrape()["glimpse_subscriber_gaps_total"] == 1)
        client.close()
        #expect(await holds { scrape()["glimpse_subscribers"] == 0 })
        #expect(scrape()["glimpse_subscriber_gaps_total"] == 1)
    }

    /// The worker ends before its second heartbeat. Its last heartbeat still has all counts.
    @Test func aShortFilmIsCountedToItsLastFrame() async throws {
        bench.configure()
        bench.scope.write(
            "pipelines/film.toml", "[source]\nkind = \"test\"\nframes = 12\n[barcode]\n")
        bench.run(worker: Program.built("glimpsed-worker"))
        _ = try await bench.subscribe()
        var now: [String: Double] = [:]
        #expect(
            await holds {
                now = scrape()
                // The last heartbeat comes after the event.
                return now[#"glimpse_pipeline_state{pipeline="film",state="ended"}"#] == 1
                    && now[#"glimpse_frames_received_total{pipeline="film"}"#] == 12
            }, "\(now)")
        let decoded = now[#"glimpse_frames_decoded_total{pipeline="film"}"#] ?? 0
        let busy = now[#"glimpse_frames_dropped_total{pipeline="film",detector="barcode",cause="busy"}"#] ?? 0
        let stage = #"glimpse_stage_seconds_count{pipeline="film",detector="barcode",stage="#
        for name in ["wait", "track", "emit"] {
            #expect(now[stage + "\"\(name)\"}"] == decoded - busy, "\(name) of \(decoded) without \(busy)")
        }
        #expect((now[#"glimpse_worker_cpu_seconds_total{pipeline="film"}"#] ?? -1) >= 0)
    }

    /// Real workers stamp their events, and delivery is counted for events with a subscriber.
    @Test func deliveriesToASubscriberAreTimed() async throws {
        bench.configure()
        bench.scope.write("pipelines/film.toml", "[source]\nkind = \"test\"\n[barcode]\n")
        bench.run(worker: Program.built("glimpsed-worker"))
        let client = try await bench.subscribe()
        var lines = 0
        _ = try client.lines { line in
            if line.seq != nil { lines += 1 }
            return lines == 50
        }
        let now = scrape()
        let count = now["glimpse_event_delivery_seconds_count"] ?? 0
        #expect(count >= 25 && (now["glimpse_event_delivery_seconds_sum"] ?? 0) > 0, "\(count)")
        #expect(now[#"glimpse_event_delivery_seconds_bucket{le="+Inf"}"#] == count)
        #expect((now[#"glimpse_worker_resident_bytes{pipeline="film"}"#] ?? 0) > 1e6)
    }

    @Test func metricsWithoutADaemonExitWith69() {
        bench.configure()
        let result = bench.command("metrics")
        #expect(result.status == 69 && result.output.isEmpty, "\(result)")
        #expect(result.errors.contains("the daemon is not running"))
    }

    @Test func anUnknownFormatOfMetricsIsRefused() async throws {
        bench.configure()
        bench.run()
        let control = try await bench.control()
        let refused = try control.ask(#"{"metrics":{"format":"xml"}}"#)
        #expect(refused.contains(#"metrics.format: expected \"prometheus\" or \"openmetrics\""#), "\(refused)")
        #expect(try control.ask(#"{"metrics":true}"#).contains(#""content_type":"text/plain; version=0.0.4;"#))
    }
}
