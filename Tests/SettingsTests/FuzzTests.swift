import Foundation
import GlimpseTesting
import ModelCatalog
import Testing

@testable import Settings

/// Broken bytes give errors, never a crash; every error is one line and names a line that the text has.
struct FuzzTests {
    @Test(arguments: Fuzz.seeds(8))
    func mutatedFiles(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var names = try BoundedFile.names(inFolder: repository.appending(path: "pipelines").path)
        names =
            names.filter { $0.hasSuffix(".toml") }.map { "pipelines/\($0)" } + [
                "config.example.toml", "models/catalog.toml",
            ]
        let files = try names.map { try BoundedFile.bytes(of: repository.appending(path: $0).path) }
        var wrong = 0
        for round in 0..<500 {
            let bytes = mutated(files[round % files.count], from: files, using: &random)
            let rows = bytes.count { $0 == 0x0A } + 1
            for problems in [pipeline(bytes), daemon(bytes), catalogue(bytes)] {
                if !problems.isEmpty { wrong += 1 }
                for problem in problems {
                    #expect((1...rows).contains(problem.line ?? 1))
                    #expect(!problem.description.contains("\n"))
                    #expect(problem.description.utf8.count < 2000)
                }
            }
        }
        #expect(wrong > 500)
    }

    private func pipeline(_ bytes: [UInt8]) -> [ConfigurationError] {
        do throws(ConfigurationErrors) {
            _ = try PipelineSettings.parse(bytes: bytes)
            return []
        } catch {
            return error.errors
        }
    }

    private func daemon(_ bytes: [UInt8]) -> [ConfigurationError] {
        do throws(ConfigurationErrors) {
            _ = try DaemonSettings.parse(bytes: bytes)
            return []
        } catch {
            return error.errors
        }
    }

    private func catalogue(_ bytes: [UInt8]) -> [ConfigurationError] {
        do throws(ConfigurationErrors) {
            _ = try ModelCatalog.parse(bytes: bytes)
            return []
        } catch {
            return error.errors
        }
    }

    private func mutated(_ original: [UInt8], from files: [[UInt8]], using random: inout SeededRandom) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...20, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 1: bytes.removeSubrange(place..<end)
            case 2:
                bytes.replaceSubrange(
                    place..<end, with: Array("[]{}\"'=.\\#,\n\r\t0-e_u".utf8).shuffled(using: &random))
            case 3:
                let other = files.randomElement(using: &random) ?? []
                let start = Int.random(in: 0...other.count, using: &random)
                bytes.insert(contentsOf: other[start..<min(other.count, start + 60)], at: place)
            case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }
}
