// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import GlimpseTesting
import SHA2
import Testing

/// Runs the command `glimpsed models`.
struct ModelsCommandTests {
    private static let hasModels = SharedData.has("models/yolox_nano_416.onnx")
    private let scope = TestScope()

    private func models(_ arguments: String..., environment: [String: String] = [:]) -> ProgramResult {
        let variables = ["GLIMPSED_MODELS_DIR": scope.path("m")].merging(environment) { $1 }
        return Program.run(Program.built("glimpsed"), ["models"] + arguments, environment: variables)
    }

    /// An entry of a user's catalogue beside the shipped catalogue.
    private func own(_ file: String) {
        scope.write(
            "m/own.toml",
            """
            [mine]
            kind = "object"
            input = { width = 320, height = 320 }
            decoder.type = "nanodet"
            [mine.network]
            \(file)
            """)
    }

    @Test(.enabled(if: hasModels, "no shared data beside the checkout"))
    func theModelsCommandInstallsFromAFolderAndVerifies() throws {
        let source = SharedData.path("models")
        let result = models("install", "fastestdet", "yunet_s_640_640", "--from", source, "--to", scope.path("m"))
        #expect(result.status == 0 && result.output.isEmpty, "\(result)")
        #expect(result.errors.contains("FastestDet.onnx: installed in \(scope.path("m"))\n"))
        let listed = models("list", "--json")
        let rows = try listed.lines.map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
        let states = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.installed) })
        #expect(states["fastestdet"] == true && states["resnet50"] == false)

        let verified = models("verify", "fastestdet", "yunet_s_640_640")
        #expect(verified.status == 0, "\(verified)")
        #expect(verified.errors == "ok      fastestdet\nok      yunet_s_640_640\n")
        scope.write("m/coco.names", "person\n")
        let damaged = models("verify", "fastestdet")
        #expect(damaged.status == 1, "\(damaged)")
        #expect(damaged.errors.contains("WRONG   fastestdet: \(scope.path("m"))/coco.names is not the expected file"))
        #expect(models("install", "fastestdet", "--from", source).status == 0, "what is damaged is replaced")
        #expect(models("verify", "fastestdet").status == 0)
    }

    /// `shufflenet_v2` has no address. The command installs the best model that the folder holds.
    @Test(.enabled(if: hasModels, "no shared data beside the checkout"))
    func theModelsCommandInstallsTheBestSceneModelOfAFolder() throws {
        let all = SharedData.path("models")
        let rest = scope.path("rest")
        try FileManager.default.createDirectory(atPath: rest, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: all) where name != "shufflenet_v2.onnx" {
            try FileManager.default.createSymbolicLink(atPath: "\(rest)/\(name)", withDestinationPath: "\(all)/\(name)")
        }
        #expect(
            models("install", "--from", all, "--to", scope.path("a")).errors.contains("shufflenet_v2.onnx: installed"))
        let without = models("install", "--from", rest, "--to", scope.path("b"))
        #expect(without.status == 0 && without.errors.contains("SqueezeNet_fp16.onnx: installed"), "\(without)")
        let named = models("install", "shufflenet_v2", "--to", scope.path("c"))
        #expect(named.status == 66 && named.errors.contains("has no address in the catalogue"), "\(named)")
    }

    private struct Row: Decodable {
        var name: String
        var installed: Bool
    }

    @Test func theModelsCommandPrintsATableOfModels() {
        let result = models("list")
        #expect(result.status == 0 && result.output.isEmpty)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.first?.hasPrefix("NAME ") == true && lines.count > 7, "\(result)")
        #expect(lines.allSatisfy { $0.last != " " && $0.count <= 120 }, "\(result)")
    }

    @Test func aModelOfTheUsersCatalogueIsInstalled() throws {
        let bytes = Array("a model".utf8)
        let server = try LoopbackServer { LoopbackServer.ranges(bytes, $0) }
        defer { server.stop() }
        own("url = \"\(server.address("mine.onnx"))\"")
        let refused = models("install", "mine")
        #expect(refused.status == 64 && refused.errors.contains("--sha256 HASH"), "\(refused)")
        #expect(server.requests.isEmpty)
        let wrong = models("install", "mine", "--sha256", String(repeating: "0", count: 64))
        #expect(wrong.status == 1, "\(wrong)")
        #expect(
            wrong.errors.contains(SHA256.hexDigest(bytes)) && wrong.errors.contains(String(repeating: "0", count: 64)))
        let right = models("install", "mine", "--sha256", SHA256.hexDigest(bytes))
        #expect(right.status == 0, "\(right)")
        let verified = models("verify", "mine")
        #expect(verified.status == 0 && verified.errors == "unknown mine: its catalogue entry has no SHA-256\n")
    }

    @Test func eachFailureOfTheModelsCommandHasItsStatus() throws {
        let unknown = models("install", "yolo9000")
        #expect(unknown.status == 64 && unknown.errors.contains("unknown model \"yolo9000\""))
        #expect(models("install", "yolox_nano", "--all").status == 64)
        let missing = models("install", "yolox_nano", "--from", scope.path("none"), "--to", scope.path("x"))
        #expect(missing.status == 66, "\(missing)")
        own("url = \"http://127.0.0.1:1/mine.onnx\"\nsha256 = \"\(String(repeating: "0", count: 64))\"")
        let away = models("install", "mine", "--tries", "1", environment: ["no_proxy": "127.0.0.1"])
        #expect(away.status == 69 && away.errors.contains("cannot get http://127.0.0.1:1/mine.onnx"), "\(away)")
        // A proxy that never answers.
        let proxy = models("install", "mine", "--tries", "1", environment: ["http_proxy": "http://127.0.0.1:2"])
        #expect(proxy.status == 69 && proxy.errors.contains("127.0.0.1 port 2"), "\(proxy)")
        scope.write("m/broken.toml", "[x]\nkind = \"cat\"\n")
        let broken = models("list")
        #expect(broken.status == 0 && broken.errors.contains("m/broken.toml:2: [x] kind must be one of"), "\(broken)")
    }
}
