// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import ModelCatalog
import SHA2
import Testing

@testable import ModelStore

struct ModelInstallerTests {
    /// Each request receives a part of the content, so that cuts fall anywhere.
    private static let content: [UInt8] = {
        var random = SeededRandom(seed: 5)
        return (0..<60_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    }()

    private func file(_ url: String? = nil, bytes: Int? = 60_000, sha256: String? = SHA256.hexDigest(content))
        -> ModelFile
    {
        ModelFile(name: "m.onnx", url: url, bytes: bytes, sha256: sha256)
    }

    /// The files that an installation from `handler`'s server leaves in the folder, and the error.
    private func install(
        bytes: Int? = 60_000, sha256: String? = SHA256.hexDigest(content), part: [UInt8]? = nil, tries: Int = 4,
        idleLimit: Duration = patience,
        from handler: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply
    ) throws -> (error: ModelStoreError?, names: [String], requests: [LoopbackServer.Request]) {
        let server = try LoopbackServer(handler)
        defer { server.stop() }
        return try withFolder { folder in
            if let part { try Data(part).write(to: folder.appending(path: ".m.onnx.part")) }
            var installer = ModelInstaller(folder: folder.path, origin: .network)
            (installer.tries, installer.pause, installer.idleLimit) = (tries, .milliseconds(1), idleLimit)
            var failure: ModelStoreError?
            do throws(ModelStoreError) {
                try installer.install(file(server.address("m.onnx"), bytes: bytes, sha256: sha256))
            } catch {
                failure = error
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            if failure == nil {
                #expect(try Data(contentsOf: folder.appending(path: "m.onnx")) == Data(Self.content))
            }
            return (failure, names, server.requests)
        }
    }

    @Test
    func aDownloadInstallsTheModelsFiles() throws {
        let result = try install { LoopbackServer.ranges(Self.content, $0) }
        #expect(result.error == nil && result.names == ["m.onnx"] && result.requests.count == 1)
    }

    @Test
    func aDownloadContinuesAfterACutConnection() throws {
        let result = try install { request in
            var reply = LoopbackServer.ranges(Self.content, request)
            reply.cut = min(reply.body.count, 20_000)
            return reply
        }
        #expect(result.error == nil && result.names == ["m.onnx"])
        #expect(result.requests.map(\.start) == [nil, 20_000, 40_000])
    }

    @Test
    func aDownloadFromAServerWithoutRangesBeginsAgain() throws {
        let result = try install { request in .init(body: Self.content, cut: request.index < 2 ? 30_000 : nil) }
        #expect(result.error == nil && result.names == ["m.onnx"])
        #expect(result.requests.map(\.start) == [nil, 30_000, 30_000])
    }

    @Test
    func anInstallationContinuesAnEarlierRunsPartFile() throws {
        let result = try install(part: Array(Self.content[..<50_000])) { LoopbackServer.ranges(Self.content, $0) }
        #expect(result.error == nil && result.requests.map(\.start) == [50_000])
        let whole = try install(part: Self.content) { LoopbackServer.ranges(Self.content, $0) }
        #expect(whole.error == nil && whole.requests.isEmpty)
    }

    @Test
    func aWrongPartFileIsReplacedByANewDownload() throws {
        let result = try install(part: [UInt8](repeating: 1, count: 1000)) { LoopbackServer.ranges(Self.content, $0) }
        #expect(result.error == nil && result.requests.map(\.start) == [1000, nil])
        let long = try install(part: [UInt8](repeating: 1, count: 80_000)) { LoopbackServer.ranges(Self.content, $0) }
        #expect(long.error == nil && long.requests.map(\.start) == [nil])
        let unknown = try install(bytes: nil, part: [UInt8](repeating: 1, count: 80_000)) {
            LoopbackServer.ranges(Self.content, $0)
        }
        #expect(unknown.error == nil && unknown.requests.map(\.start) == [80_000, nil])
    }

    @Test
    func aDownloadWithAWrongHashIsRefusedWithBothHashesAndRemoved() throws {
        var wrong = Self.content
        wrong[23_456] ^= 1
        let bytes = wrong
        let result = try install { LoopbackServer.ranges(bytes, $0) }
        guard case .wrongHash(_, let expected, let actual) = result.error else {
            Issue.record("\(String(describing: result.error))")
            return
        }
        #expect(expected == SHA256.hexDigest(Self.content) && actual == SHA256.hexDigest(wrong))
        #expect(result.names.isEmpty)
    }

    @Test(arguments: [59_999, 60_001])
    func aDownloadOfAWrongSizeIsRefused(size: Int) throws {
        let bytes = Array((Self.content + [0]).prefix(size))
        let result = try install { LoopbackServer.ranges(bytes, $0) }
        guard case .wrongSize(_, 60_000, size)? = result.error else {
            Issue.record("\(String(describing: result.error))")
            return
        }
        #expect(result.names.isEmpty)
    }

    @Test
    func aDownloadThatIsCutFourTimesIsGivenUp() throws {
        let result = try install { _ in .init(body: Self.content, cut: 1000) }
        guard case .notReceived? = result.error else {
            Issue.record("\(String(describing: result.error))")
            return
        }
        #expect(result.names == [".m.onnx.part"] && result.requests.count == 4)
    }

    @Test
    func aDownloadFromASilentServerIsRetried() throws {
        let result = try install(idleLimit: .seconds(3)) { request in
            var reply = LoopbackServer.ranges(Self.content, request)
            if request.index == 0 { reply.stall = 0 }
            return reply
        }
        #expect(result.error == nil && result.requests.count == 2)
    }

    @Test(arguments: [403, 404, 410])
    func aDownloadThatTheServerRefusesIsNotRetried(status: Int) throws {
        let result = try install { _ in .init(status: status, body: Self.content) }
        #expect(result.error?.description.hasSuffix("the server says \(status)") == true)
        #expect(result.requests.count == 1 && result.names.isEmpty)
    }

    @Test
    func aDownloadIsRetriedAfterAServerError() throws {
        let result = try install { request in
            request.index < 2 ? .init(status: 503, body: [1]) : LoopbackServer.ranges(Self.content, request)
        }
        #expect(result.error == nil && result.requests.count == 3)
    }

    @Test
    func aDownloadFollowsARedirect() throws {
        let result = try install { request in
            request.path == "/m.onnx"
                ? .init(status: 301, headers: ["Location: /elsewhere"]) : LoopbackServer.ranges(Self.content, request)
        }
        #expect(result.error == nil)
    }

    @Test
    func aModelWithoutAHashIsNotDownloaded() throws {
        let result = try install(sha256: nil) { LoopbackServer.ranges(Self.content, $0) }
        #expect(result.error == .noHash("m.onnx") && result.requests.isEmpty && result.names.isEmpty)
    }

    // MARK: From a folder

    @Test
    func modelsAreInstalledFromAFolder() throws {
        try withFolder { source in
            try withFolder { folder in
                let installer = ModelInstaller(folder: folder.appending(path: "a/b").path, origin: .folder(source.path))
                #expect(throws: ModelStoreError.notFound(source.appending(path: "m.onnx").path)) {
                    try installer.install(file())
                }
                try Data(Self.content).write(to: source.appending(path: "m.onnx"))
                #expect(try installer.install(file()))
                #expect(try !installer.install(file()), "it is there already")
                try Data([1]).write(to: folder.appending(path: "a/b/m.onnx"))
                #expect(try installer.install(file()), "what is damaged is replaced")
                try Data([1]).write(to: source.appending(path: "m.onnx"))
                try Data([2]).write(to: folder.appending(path: "a/b/m.onnx"))
                #expect(throws: ModelStoreError.self) { try installer.install(file()) }
                #expect(try Data(contentsOf: folder.appending(path: "a/b/m.onnx")) == Data([2]), "what is there stays")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/a/b") == ["m.onnx"])
            }
        }
    }

    @Test
    func twoInstallationsDoNotRunAtOnce() throws {
        try withFolder { folder in
            let part = try PartFile(of: "m.onnx", in: folder.path)
            #expect(throws: ModelStoreError.busy(folder.appending(path: ".m.onnx.part").path)) {
                _ = try PartFile(of: "m.onnx", in: folder.path)
            }
            withExtendedLifetime(part) {}
        }
    }

    /// A file that does not fit leaves the old files in place, and continues when there is room.
    @Test
    func anInstallationOnAFullDiskKeepsTheOldFiles() throws {
        try withFolder { folder in
            let server = try LoopbackServer { LoopbackServer.ranges(Self.content, $0) }
            defer { server.stop() }
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let before = limit
            // A write that fails, here with EFBIG, looks like a full disk to the writer.
            signal(SIGXFSZ, SIG_IGN)
            limit.rlim_cur = 20_000
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let installer = ModelInstaller(folder: folder.path, origin: .network)
            var failure: ModelStoreError?
            do throws(ModelStoreError) { try installer.install(file(server.address("m.onnx"))) } catch {
                failure = error
            }
            var restored = before
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &restored)
            guard case .unwritable? = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [".m.onnx.part"])
            #expect(try installer.install(file(server.address("m.onnx"))))
            #expect(server.requests.map(\.start) == [nil, 20_000])
        }
    }
}

/// Calls the body with a temporary folder, and removes the folder afterwards.
func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "models-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
