// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import GlimpseTesting
import Testing

/// The page's HTTP interface before a real daemon.
@Suite struct WebInterfaceTests {
    private struct Header: Decodable {
        var seq: UInt64
        var epoch: UInt64
        var width: Int
        var bytes: Int
    }

    private struct Entries: Decodable {
        struct Entry: Decodable {
            var kind: String
            var run_id: String
            var seq: UInt64
            var value: String?
            var picture: String?
        }

        var entries: [Entry]
    }

    @Test func thePageHasItsFilesAndEveryAnswerItsHeaders() async throws {
        let bench = try await WebBench()
        let page = try bench.get("/")
        #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
        #expect(try page.text().contains("<title>Glimpse</title>"))
        #expect(page.headers["content-security-policy"]?.contains("default-src 'self'; img-src 'self' blob:") == true)
        #expect(
            page.headers["x-content-type-options"] == "nosniff" && page.headers["access-control-allow-origin"] == nil)
        let tag = try #require(page.headers["etag"])
        #expect(try bench.get("/", "If-None-Match: \(tag)").status == 304)
        #expect(try bench.get("/modules/main.js").headers["content-type"] == "text/javascript; charset=utf-8")
        for path in [
            "/secret.txt", "/nothing", "/../web.toml", "/%2e%2e/web.toml", "/modules/../../web.toml", "//etc/passwd",
            "/modules", "/index.html/",
        ] {
            #expect(try bench.get(path).status == 404, "\(path)")
        }
        #expect(try bench.post("/").status == 404)
        #expect(try bench.get("/", host: "evil.example").status == 421)
        #expect(try bench.get("/", "Origin: http://evil.example").status == 403)
        #expect(try bench.get("/", "Content-Length: 5").status == 400)
        #expect(try bench.get("/", "X-Long: \(String(repeating: "x", count: 20_000))").status == 400)
        #expect(try bench.get("/healthz").status == 200)
        bench.page.send(SIGTERM)
        let end = bench.page.finish()
        #expect(end.status == 0, "\(end)")
        #expect(access(bench.scope.path("l.sock"), F_OK) != 0)
    }

    @Test func pipelinesHaveStateAndPlaces() async throws {
        let bench = try await WebBench(
            pipeline: """
                [[mask]]
                name = "street"
                polygon = [[0, 0], [0.25, 0], [0.25, 0.5]]
                [[line]]
                name = "door"
                from = [0.5, 0.25]
                to = [0.5, 0.75]
                [[zone]]
                name = "desk"
                polygon = [[0, 0], [1, 0], [1, 1]]
                """)
        var text = ""
        let isConnected = try await holds {
            text = try bench.get("/api/pipelines").text()
            return text.contains(#""state":"connected","since":"20"#)
        }
        #expect(isConnected, "\(text)")
        #expect(text.contains(#""masks":[{"name":"street","polygon":[[0.0,0.0],[0.25,0.0],[0.25,0.5]]}]"#), "\(text)")
        #expect(text.contains(#""lines":[{"name":"door","from":[0.5,0.25],"to":[0.5,0.75]}]"#), "\(text)")
        #expect(text.contains(#""zones":[{"name":"desk","#) && text.contains(#""pictures_allowed":true"#), "\(text)")
        let metrics = try bench.get("/metrics", "Accept: application/openmetrics-text; version=1.0.0")
        #expect(metrics.headers["content-type"]?.hasPrefix("application/openmetrics-text") == true)
        #expect(try metrics.text().hasSuffix("# EOF\n"))
    }

    @Test func eventsResumeWithoutLossAndTellTheirIDs() async throws {
        let bench = try await WebBench()
        let first = try bench.get("/api/events?types=detected,completed&kinds=barcode")
        #expect(first.status == 200 && first.headers["content-type"] == "text/event-stream")
        var text = ""
        while !text.contains("\"type\":\"completed\""), let chunk = try first.chunk() {
            text += String(decoding: chunk, as: UTF8.self)
        }
        #expect(text.contains("event: state\ndata: {"), "\(text.prefix(300))")
        let ids = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
        #expect(ids.count >= 2 && Set(ids).count == ids.count)
        first.close()
        let again = try bench.get("/api/events?types=detected,completed&kinds=barcode", "Last-Event-ID: \(ids[0])")
        text = ""
        while !text.contains("id: \(ids[ids.count - 1])\n"), let chunk = try again.chunk() {
            text += String(decoding: chunk, as: UTF8.self)
        }
        let resumed = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
        #expect(Array(resumed.prefix(ids.count - 1)) == Array(ids.dropFirst()), "\(resumed)\n\(ids)")
        #expect(try bench.get("/api/events", "Last-Event-ID: nonsense").status == 400)
        // An id of another run leads to a gap, which has an id of its own.
        let other = try bench.get("/api/events?after=0000000000000000:5&types=detected")
        text = ""
        while !text.contains("event: gap\n"), let chunk = try other.chunk() {
            text += String(decoding: chunk, as: UTF8.self)
        }
        #expect(text.contains("event: gap\n"))
    }

    @Test func eventsExplainUntrackedDetectionsOnRequest() async throws {
        let bench = try await WebBench()
        let stream = try bench.get("/api/events?types=config&explain=1")
        var text = ""
        while !text.contains(#""rule":"max_gap""#), let chunk = try stream.chunk() {
            text += String(decoding: chunk, as: UTF8.self)
        }
        #expect(text.contains(#"data: {"v":1,"type":"explain","pipeline":"demo""#), "\(text.prefix(300))")
        #expect(text.contains(#""detector":"barcode","untracked":["#), "\(text.prefix(300))")
        // Other subscribers get none of these lines.
        let plain = try bench.get("/api/events?types=config&frames=1")
        text = ""
        while text.split(separator: "\n").count(where: { $0.contains(#""type":"frame""#) }) < 10,
            let chunk = try plain.chunk()
        {
            text += String(decoding: chunk, as: UTF8.self)
        }
        #expect(!text.contains("explain"))
    }

    @Test func healthNamesThePageAndItsConnection() async throws {
        let bench = try await WebBench()
        let health = try bench.get("/api/health")
        #expect(health.status == 200)
        #expect(try health.text().hasPrefix(#"{"server":"glimpsed-web 0"#))
        #expect(try bench.get("/api/health").text().contains(#""connected":true"#))
    }

    @Test func picturesNameTheirFramesAndEndWithTheirViewer() async throws {
        let bench = try await WebBench(web: "max_viewers = 1\nmax_width = 320\n")
        let one = try bench.get("/api/pipelines/demo/picture.jpg?width=1280")
        let jpeg = try one.body()
        #expect(one.status == 200 && jpeg.prefix(2) == [0xFF, 0xD8] && jpeg.suffix(2) == [0xFF, 0xD9])
        #expect(one.headers["x-frame-seq"].flatMap { UInt64($0) } != nil && one.headers["x-frame-epoch"] == "1")
        let stream = try bench.get("/api/pipelines/demo/stream?rate=30&width=9999")
        #expect(stream.status == 200)
        var bytes: [UInt8] = []
        var headers: [Header] = []
        while headers.count < 3, let chunk = try stream.chunk() {
            bytes += chunk
            while bytes.count >= 4, case let length = bytes[..<4].reduce(0, { $0 << 8 | Int($1) }),
                bytes.count >= 4 + length
            {
                let header = try JSONDecoder().decode(Header.self, from: Data(bytes[4..<4 + length]))
                guard bytes.count >= 4 + length + header.bytes else { break }
                #expect(bytes[(4 + length)...].prefix(2) == [0xFF, 0xD8] && header.width == 320)
                bytes.removeFirst(4 + length + header.bytes)
                headers.append(header)
            }
        }
        #expect(headers.count == 3 && headers.map(\.seq) == headers.map(\.seq).sorted())
        #expect(try bench.get("/api/pipelines/demo/stream").status == 503, "only one viewer may look")
        stream.close()
        let isFree = try await holds { try bench.get("/api/pipelines/demo/picture.jpg").status == 200 }
        #expect(isFree)
        let wall = try bench.get("/api/pictures?pipelines=demo&rate=5")
        let record = try #require(try wall.chunk())
        let length = record[..<4].reduce(0) { $0 << 8 | Int($1) }
        #expect(String(decoding: record[4..<4 + length], as: UTF8.self).hasPrefix(#"{"pipeline":"demo","seq":"#))
        #expect(Array(record[(4 + length)...].prefix(2)) == [0xFF, 0xD8])
        #expect(try bench.get("/api/pipelines/demo/stream").status == 503, "the wall has the only place")
        wall.close()
        let isFreeAgain = try await holds { try bench.get("/api/pipelines/demo/picture.jpg").status == 200 }
        #expect(isFreeAgain)
        for names in ["", "demo,demo", "demo,other"] {
            #expect(try bench.get("/api/pictures?pipelines=\(names)").status == 400, "\(names)")
        }
        #expect(try bench.get("/api/pipelines/nobody/picture.jpg").status == 404)
        #expect(try bench.get("/api/pipelines/demo/stream?mode=h264").status == 409)
        #expect(try bench.get("/api/pipelines/demo/stream?mode=gif").status == 400)
        #expect(try bench.get("/api/pipelines/demo/stream?rate=0").status == 400)
        #expect(bench.daemon.errors.contains("for page unix: view of pipeline demo"), "\(bench.daemon.errors)")
    }

    @Test func historyHasItsPictures() async throws {
        let bench = try await WebBench()
        try await bench.untilTracksEnd()
        func entries(_ query: String) throws -> [Entries.Entry] {
            let answer = try bench.get("/api/history?\(query)")
            let body = try answer.body()
            return try JSONDecoder().decode(Entries.self, from: Data(body)).entries
        }
        var found: Entries.Entry?
        let isStored = try await holds {
            found = try entries("kind=barcode&limit=5").first { $0.picture != nil }
            return found != nil
        }
        #expect(isStored, "\(bench.daemon.errors)")
        let entry = try #require(found)
        let picture = try bench.get("/api/history/\(entry.run_id):\(entry.seq)/picture.jpg")
        #expect(picture.status == 200 && picture.headers["content-type"] == "image/jpeg")
        #expect(try picture.body() == TestFile.read(try #require(entry.picture)))
        // The event names the picture while it is in memory.
        let snapshots = try bench.get("/api/events?types=snapshot&after=\(entry.run_id):0")
        var text = ""
        while !text.contains("\"type\":\"snapshot\""), let chunk = try snapshots.chunk() {
            text += String(decoding: chunk, as: UTF8.self)
        }
        let id = try #require(text.split(separator: "\n").last { $0.hasPrefix("id: ") }).dropFirst(4)
        #expect(try bench.get("/api/history/\(id)/picture.jpg").body().prefix(2) == [0xFF, 0xD8])
        let part = try #require(entry.value).prefix(6).dropFirst()
        #expect(try entries("text=\(part)").contains { $0.seq == entry.seq })
        #expect(try entries("zone=nowhere").isEmpty)
        #expect(try entries("kind=face").isEmpty && entries("since=1s&text=nothing").isEmpty)
        #expect(try bench.get("/api/history?limit=0").status == 400)
        #expect(try bench.get("/api/history?since=yesterday").status == 400)
        #expect(try bench.get("/api/history?kind=horse%22%7D").status == 409)
        #expect(try bench.get("/api/history/nonsense/picture.jpg").status == 400)
        #expect(try bench.get("/api/history/\(entry.run_id):999999/picture.jpg").status == 404)
        #expect(bench.daemon.errors.contains("pictures: user \(geteuid()) for page unix: stored picture of event"))
    }

    @Test func aTokenOpensEverythingAndALinkASession() async throws {
        let scope = TestScope()
        let token = scope.write("token", "correct-horse-battery\n")
        chmod(token, 0o600)
        let bench = try await WebBench(web: "token_file = \"\(token)\"\ncommands = true\n")
        #expect(try bench.get("/").status == 401 && bench.get("/metrics").status == 401)
        #expect(try bench.get("/", "Authorization: Bearer correct-horse-battery").status == 200)
        #expect(try bench.get("/", "Authorization: Bearer correct-horse-batter").status == 401)
        let link = Program.run(Program.built("glimpsed"), ["web", "open", "--socket", bench.scope.path("l.sock")])
        let path = try #require(link.lines.first?.components(separatedBy: "/login").last, "\(link)")
        #expect(link.status == 0)
        let login = try bench.get("/login\(path)")
        #expect(login.status == 303 && login.headers["location"] == "/")
        let cookie = try #require(login.headers["set-cookie"])
        #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        let session = String(cookie.prefix { $0 != ";" })
        #expect(try bench.get("/", "Cookie: \(session)").status == 200)
        #expect(try bench.get("/", "Cookie: \(session)0").status == 401)
        #expect(try bench.get("/login\(path)").status == 401, "a link works once")

        #expect(try bench.post("/api/pipelines/demo/pause", "Cookie: \(session)").status == 403)
        let origin = "Origin: http://localhost"
        #expect(try bench.post("/api/pipelines/demo/pause", "Cookie: \(session)", origin).status == 200)
        #expect(try bench.post("/api/pipelines/nobody/pause", "Cookie: \(session)", origin).status == 404)
        #expect(try bench.post("/api/pipelines/demo/forget", "Cookie: \(session)", origin).status == 404)
        #expect(
            try bench.post("/api/pipelines/demo/resume", "Authorization: Bearer correct-horse-battery").status == 200)
        #expect(try bench.post("/api/pipelines/demo/resume", "Cookie: \(session)", origin).status == 409)
        let logs = bench.page.errors + bench.daemon.errors
        #expect(!logs.contains("correct-horse") && !logs.contains(path) && !logs.contains(session.dropFirst(8)))
    }

    @Test func withoutTheDaemonThePageSaysSoAndComesBack() async throws {
        let bench = try await WebBench()
        bench.daemon.send(SIGTERM)
        _ = bench.daemon.finish()
        #expect(await holds { (try? bench.get("/healthz"))?.status == 503 })
        let answer = try bench.get("/api/pipelines")
        #expect(answer.status == 503)
        #expect(try answer.text().contains("the daemon cannot be reached"))
        #expect(try bench.get("/").status == 200)
        let again = RunningProgram(
            Program.built("glimpsed"), ["run", "--config", bench.scope.path("config.toml")],
            environment: ["GLIMPSED_WORKER": Program.built("glimpsed-worker")])
        #expect(await holds { (try? bench.get("/healthz"))?.status == 200 }, "\(again.errors)")
    }
}
