// SPDX-License-Identifier: Apache-2.0
import Foundation
import MetricsText
import Testing

@Suite struct MetricsTextTests {
    private func text(_ format: MetricsFormat, _ write: (inout MetricsText) -> Void) -> String {
        var text = MetricsText(format)
        write(&text)
        return String(decoding: text.finish(), as: UTF8.self)
    }

    @Test func aCounterHasItsFamilyNameInEachFormat() {
        func write(_ text: inout MetricsText) { text.family(.framesDecoded) { $0.sample("door", is: 7) } }
        #expect(
            text(.prometheus, write) == """
                # HELP glimpse_frames_decoded_total Frames that the worker received as pictures.
                # TYPE glimpse_frames_decoded_total counter
                glimpse_frames_decoded_total{pipeline="door"} 7

                """)
        #expect(
            text(.openMetrics, write) == """
                # HELP glimpse_frames_decoded Frames that the worker received as pictures.
                # TYPE glimpse_frames_decoded counter
                glimpse_frames_decoded_total{pipeline="door"} 7
                # EOF

                """)
    }

    @Test func aHistogramHasCumulativeBucketsAndNoEmptyLabel() {
        let written = text(.prometheus) {
            $0.family(.stageSeconds) {
                $0.histogram(["door", "", "decode"], bounds: [500, 1_000_000], counts: [3, 0, 2], sum: 4_000_250)
            }
        }
        #expect(
            written.split(separator: "\n").dropFirst(2) == [
                #"glimpse_stage_seconds_bucket{pipeline="door",stage="decode",le="0.0005"} 3"#,
                #"glimpse_stage_seconds_bucket{pipeline="door",stage="decode",le="1.0"} 3"#,
                #"glimpse_stage_seconds_bucket{pipeline="door",stage="decode",le="+Inf"} 5"#,
                #"glimpse_stage_seconds_sum{pipeline="door",stage="decode"} 4.00025"#,
                #"glimpse_stage_seconds_count{pipeline="door",stage="decode"} 5"#,
            ])
        let bare = text(.prometheus) {
            $0.family(.deliverySeconds) { $0.histogram([], bounds: [1000], counts: [1, 0], sum: 10) }
        }
        #expect(bare.contains("\nglimpse_event_delivery_seconds_bucket{le=\"0.001\"} 1\n"))
        #expect(bare.contains("\nglimpse_event_delivery_seconds_sum 0.00001\n"))
    }

    @Test func labelValuesAreEscaped() {
        let written = text(.prometheus) {
            $0.family(.zoneOccupancy) { $0.sample("door", MetricLabel("a\"b\\c\nd é"), "face", is: 1) }
        }
        #expect(written.hasSuffix(#"glimpse_zone_occupancy{pipeline="door",zone="a\"b\\c\nd é",kind="face"} 1"# + "\n"))
    }

    @Test(arguments: MetricsFormat.allCases)
    func aJSONStringOfMetricsDecodesToTheirText(format: MetricsFormat) throws {
        func write(_ encoding: MetricsEncoding) -> [UInt8] {
            var text = MetricsText(format, encoding: encoding)
            text.family(.zoneOccupancy) { $0.sample("door", MetricLabel("a\"b\\c\nd\tx\r é"), "face", is: 1) }
            text.family(.stageSeconds) {
                $0.histogram(["door", "\\", "wait"], bounds: [500], counts: [3, 2], sum: 250)
            }
            return text.finish()
        }
        let decoded = try JSONDecoder().decode(String.self, from: Data(write(.jsonString)))
        #expect(decoded == String(decoding: write(.plain), as: UTF8.self))
    }

    @Test(arguments: [0, 9, 10, 99, 100, 12_345, UInt64.max])
    func numbersArePrintedInFull(number: UInt64) {
        let written = text(.prometheus) { $0.family(.subscribers) { $0.sample(is: number) } }
        #expect(written.hasSuffix("\nglimpse_subscribers \(number)\n"))
    }

    @Test func aTextContinuesAnotherOfItsFormat() {
        for format in MetricsFormat.allCases {
            var first = MetricsText(format)
            first.family(.subscribers) { $0.sample(is: 1) }
            var both = MetricsText(continuing: first.finish(), format)
            both.family(.relayConnected) { $0.sample("home", is: 1) }
            var whole = MetricsText(format)
            whole.family(.subscribers) { $0.sample(is: 1) }
            whole.family(.relayConnected) { $0.sample("home", is: 1) }
            #expect(both.finish() == whole.finish())
        }
    }

    @Test func theStateOfARelayIsReadFromItsLine() throws {
        let line =
            #"{"v":1,"type":"relay","destinations":[{"name":"home","connected":true,"unacknowledged":2,"sent":9,"#
            + #""error":null},{"name":"home","connected":false,"unacknowledged":0,"sent":0}],"version":"0.1.0"}"#
        let state = try #require(RelayState(line: Array(line.utf8)))
        let written = text(.prometheus) { $0.write(state) }
        #expect(
            written.split(separator: "\n").filter { !$0.hasPrefix("#") } == [
                #"glimpse_relay_unacknowledged{destination="home"} 2"#,
                #"glimpse_relay_sent_total{destination="home"} 9"#,
                #"glimpse_relay_connected{destination="home"} 1"#,
            ])
        for line in ["", "[]", "{}", #"{"destinations":[{"name":"home"}]}"#] {
            #expect(RelayState(line: Array(line.utf8)) == nil)
        }
    }

    @Test func theFormatFollowsTheAcceptHeader() {
        // As Prometheus 2.42 sends it.
        let prometheus =
            "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
            + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
        #expect(MetricsFormat(accept: prometheus) == .openMetrics)
        #expect(MetricsFormat(accept: "") == .prometheus)
        #expect(MetricsFormat(accept: "*/*") == .prometheus)
        #expect(MetricsFormat(accept: "text/html, application/xml;q=0.9, */*;q=0.8") == .prometheus)
        #expect(MetricsFormat(accept: "application/openmetrics-text; version=2.0.0, text/plain;q=0.1") == .prometheus)
        #expect(MetricsFormat(accept: "application/openmetrics-text;q=0.2,text/plain;version=0.0.4") == .prometheus)
    }

    /// Names as Prometheus wants them, and no name twice.
    @Test func familiesHaveGoodNames() {
        let names = MetricFamily.all.map(\.name)
        #expect(Set(names).count == names.count)
        for family in MetricFamily.all {
            #expect(family.name.hasSuffix("_total") == (family.kind == .counter), "\(family.name)")
            #expect(family.name.hasPrefix("glimpse_") || family.name.hasPrefix("process_"))
            #expect(!family.help.hasSuffix("."))
        }
        let bounded: Set = [
            "pipeline", "detector", "kind", "state", "reason", "cause", "stage", "zone", "line", "direction",
            "destination", "version",
        ]
        #expect(MetricFamily.all.allSatisfy { bounded.isSuperset(of: $0.labels) })
    }
}
