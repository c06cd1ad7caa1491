// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Pictures over a connection of the control socket, from the built daemon with the built worker.
@Suite struct PictureViewTests {
    private struct Header: Decodable {
        var seq: UInt64
        var epoch: UInt64
        var pts_ns: Int64
        var width: Int
        var height: Int
        var bytes: Int
    }

    private let real = RealBench()
    private var bench: DaemonBench { real.bench }

    @discardableResult
    private func start(settings: String = "", daemon: String = "", source: String = "") async throws -> RunningProgram {
        real.write("door", barcode: settings, source: source)
        bench.configure(daemon: daemon)
        let program = bench.run(worker: Program.built("glimpsed-worker"))
        let client = try await bench.subscribe()
        client.send(#"{"subscribe":{"passive":true},"after":0}"#)
        _ = try client.lines { $0.state == (source.isEmpty ? "connected" : "paused") }
        return program
    }

    /// Connects a viewer that has its reply.
    private func view(_ members: String = "") async throws -> SocketClient {
        let viewer = try await bench.control()
        let reply = try viewer.ask(#"{"view":{"pipeline":"door"\#(members)}}"#)
        #expect(reply.contains(#""ok":true,"pipeline":"door""#), "\(reply)")
        return viewer
    }

    private func record(_ viewer: SocketClient) throws -> (header: Header, jpeg: [UInt8]) {
        let length = try #require(try viewer.take(4)).reduce(0) { $0 << 8 | Int($1) }
        #expect((20..<512).contains(length))
        let header = try JSONDecoder().decode(Header.self, from: Data(try #require(try viewer.take(length))))
        return (header, try #require(try viewer.take(header.bytes)))
    }

    @Test func aViewerGetsPicturesOfNumberedFramesFromTheWorker() async throws {
        let daemon = try await start()
        let viewer = try await view(#","width":500,"rate":30,"viewer":"anna at 192.0.2.7""#)
        var last: Header?
        for _ in 0..<5 {
            let (header, jpeg) = try record(viewer)
            #expect(jpeg.prefix(2) == [0xFF, 0xD8] && jpeg.suffix(2) == [0xFF, 0xD9])
            #expect(header.width <= 640 && header.height > 0 && header.epoch == 1)
            if let last { #expect(header.seq > last.seq && header.pts_ns > last.pts_ns) }
            last = header
        }
        let path = bench.scope.write("seen.jpg", bytes: try record(viewer).jpeg)
        let detected = Program.run(Program.built("glimpsed-worker"), ["detect", "--barcode", path])
        #expect(detected.lines.first?.contains("to the left") == true, "\(detected)")
        viewer.close()
        let what = "for anna at 192.0.2.7: view of pipeline door, from "
        #expect(await holds { daemon.errors.components(separatedBy: what).count == 3 }, "\(daemon.errors)")
        #expect(await holds { daemon.errors.contains("a viewer has left after ") }, "\(daemon.errors)")
    }

    @Test func aViewerThatDoesNotReadLosesPicturesAndDelaysNoOtherViewer() async throws {
        let daemon = try await start()
        let stuck = try await view(#","rate":30"#)
        let viewer = try await view(#","rate":30"#)
        // More than the buffers of the stuck viewer's socket hold.
        var bytes = 0
        while bytes < 2 << 20 { bytes += try record(viewer).jpeg.count }
        #expect(bench.command("status").status == 0)
        stuck.close()
        viewer.close()
        #expect(
            await holds { daemon.errors.contains(/left after \d+ pictures; it lost [1-9]/) }, "\(daemon.errors)")
    }

    /// A broken connection of a dead worker ends; a new one carries the new worker's pictures.
    @Test func aViewersConnectionEndsWithItsWorker() async throws {
        try await start()
        let viewer = try await view()
        _ = try record(viewer)
        #expect(bench.command("restart", "door").status == 0)
        while try viewer.take(1) != nil {}
        #expect(try record(try await view()).header.epoch == 2)
    }

    /// A killed worker closes no viewer's connection itself.
    @Test func viewersOfAKilledWorkerLoseTheirConnectionsAndNothingElse() async throws {
        let daemon = try await start()
        for epoch in 2...4 as ClosedRange<UInt64> {
            let viewers = [try await view(), try await view()]
            for viewer in viewers { _ = try record(viewer) }
            for worker in ProcessFootprint.workers(of: daemon.process) { kill(worker, SIGKILL) }
            for viewer in viewers { while try viewer.take(1) != nil {} }
            #expect(
                await holds { bench.command("status", "--json").lines.joined().contains("\"epoch\":\(epoch)") },
                "\(daemon.errors)")
        }
    }

    /// The last viewer goes with the worker, so nobody needs the pipeline any more.
    @Test func aPipelineOnDemandRestsAfterItsWatchedWorkerWasKilled() async throws {
        let daemon = try await start(source: "on_demand = true\nlinger = \"0s\"\n")
        let viewer = try await view()
        _ = try record(viewer)
        for worker in ProcessFootprint.workers(of: daemon.process) { kill(worker, SIGKILL) }
        while try viewer.take(1) != nil {}
        #expect(await holds { bench.command("status").errors.contains("paused") }, "\(bench.command("status").errors)")
        #expect(try record(try await view()).header.epoch == 2)
    }

    @Test func aViewerThatSendsSomethingIsDisconnected() async throws {
        try await start()
        let viewer = try await view()
        viewer.send(#"{"status":true}"#)
        while try viewer.take(1) != nil {}
    }

    @Test func viewersRunAPipelineOnDemandUntilTheyLeave() async throws {
        try await start(source: "on_demand = true\nlinger = \"100ms\"\n")
        let viewer = try await view()
        _ = try record(viewer)
        #expect(bench.command("status").errors.contains("connected"))
        viewer.close()
        #expect(await holds { bench.command("status").errors.contains("paused") })
    }

    @Test(arguments: [
        ("no_images = true", "", "daemon.no_images is true"),
        ("", "[privacy]\npictures = false\n", "privacy.pictures is false"),
    ])
    func noViewerIsTakenWherePicturesAreForbidden(daemon: String, settings: String, reason: String) async throws {
        try await start(settings: settings, daemon: daemon)
        let reply = try await bench.control().ask(#"{"view":{"pipeline":"door"}}"#)
        #expect(reply.contains(#""ok":false,"error":"pipeline door: pictures are disabled: \#(reason)""#), "\(reply)")
    }
}
