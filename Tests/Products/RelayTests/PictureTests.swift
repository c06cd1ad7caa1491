// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import GlimpseTesting
import Relay
import Testing

/// The retained best pictures.
@Suite(.serialized) struct PictureTests {
    private static let topic = "glimpse/hall/door/best"

    private func event(_ type: String, kind: String, id: Int, _ more: String) throws -> Event {
        let time = "2026-11-20T08:00:00.000000000Z"
        let head = #""v":1,"seq":1,"run_id":"r","type":"\#(type)","pipeline":"door","detector":"d","kind":"\#(kind)""#
        let frame = #""frame":{"epoch":1,"seq":1,"pts_ns":0,"width":9,"height":9}"#
        let track =
            #""track":{"id":"\#(id)","age_frames":1,"hits":1,"missing_frames":0,"first_seen":"\#(time)","last_seen":"\#(time)"}"#
        let text = "{\(head),\(frame),\(type == "snapshot" ? #""id":"\#(id)""# : track),\(more)}"
        return try #require(Event(line: Array(text.utf8)), "\(text)")
    }

    private func completed(_ kind: String, id: Int, _ item: String) throws -> Event {
        try event("completed", kind: kind, id: id, item)
    }

    private func snapshot(_ kind: String, id: Int, rule: String = "best") throws -> Event {
        try event("snapshot", kind: kind, id: id, #""rule":"\#(rule)","file":"/f","width":9,"height":9,"bytes":9"#)
    }

    @Test func onlyBestPicturesOfCompletedTracksWithoutRedactedAreChosen() throws {
        var choice = PictureChoice()
        let barcode = #""barcode":{"format":"qr_code","raw":"a"}"#
        let redacted = #""barcode":{"format":"qr_code","redacted":["wifi.password"]}"#
        #expect(try choice.take(snapshot("face", id: 1)) == nil)
        for (kind, item, isChosen) in [
            ("face", #""box":{"x":1,"y":1,"w":1,"h":1}"#, true), ("barcode", barcode, true),
            ("barcode", redacted, false), ("barcode", #""frames":1"#, false),
            ("plate", #""plate":{"redacted":true}"#, false),
            ("plate", #""plate":{"value":"M-1"}"#, true),
        ] {
            #expect(try choice.take(completed(kind, id: 1, item)) == nil)
            #expect(try choice.take(snapshot(kind, id: 1, rule: "detected")) == nil)
            #expect(try choice.take(snapshot(kind, id: 1)) == (isChosen ? "/f" : nil), "\(item)")
            #expect(try choice.take(snapshot(kind, id: 1)) == nil)
        }
    }

    /// The whole way from the worker's file to the broker. Each restart of the pipeline makes new pictures.
    @Test func theNewestBestPictureIsRetained() async throws {
        let bench = RelayBench()
        bench.write("door", "connect; detector face yes; tracks 2; pictures 5000")
        func configure(_ pictures: Bool) {
            bench.configure("pictures = \(pictures)", more: "daemon_control = \"c.sock\"")
        }
        configure(true)
        await bench.runBroker()
        bench.runDaemon()
        bench.runRelay()
        #expect(
            await holds { bench.retained()["glimpse/hall/door/status"] == "online" }, "\(bench.relay?.errors ?? "")")
        #expect(bench.retained("homeassistant/image/#").values.contains { $0.contains(Self.topic) })
        var before: String?
        for _ in 0..<2 {
            restart(bench)
            let isNew = await holds { bench.retained()[Self.topic].map { $0.count == 5000 && $0 != before } ?? false }
            #expect(isNew, "\(bench.relay?.errors ?? "")")
            before = bench.retained()[Self.topic]
        }

        // It stays while the relay restarts, and goes with the setting.
        bench.kill(bench.relay)
        bench.runRelay()
        #expect(await holds { bench.retained()["glimpse/hall/status"] == "online" })
        #expect(bench.retained()[Self.topic] == before)
        bench.kill(bench.relay)
        configure(false)
        bench.runRelay()
        #expect(await holds { bench.retained()[Self.topic] == nil && bench.retained("homeassistant/image/#").isEmpty })
    }

    @Test func aPictureThatIsTooLargeIsOneWarning() async throws {
        let bench = RelayBench()
        bench.write("door", "connect; detector face yes; tracks 1; pictures 2000000")
        bench.configure("pictures = true", more: "daemon_control = \"c.sock\"")
        await bench.runBroker()
        bench.runDaemon()
        bench.runRelay()
        #expect(await holds { bench.retained()["glimpse/hall/door/status"] == "online" })
        restart(bench)
        #expect(
            await holds {
                bench.relay?.errors.contains("no picture of pipeline door: the daemon's reply is too long") == true
            },
            "\(bench.relay?.errors ?? "")")
        #expect(bench.retained()[Self.topic] == nil)
    }

    private func restart(_ bench: RelayBench) {
        let result = Program.run(
            Program.built("glimpsed"), ["restart", "door", "--socket", bench.scope.path("c.sock")])
        #expect(result.status == 0, "\(result)")
    }
}
