// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import ModelCatalog
import Testing

@testable import Settings

/// Damaged bytes give errors and never a crash. Every error is one line and names an existing line of the text.
struct FuzzTests {
    @Test(arguments: Fuzz.seeds(8))
    func mutatedSettingsFilesGiveErrorsWithValidLines(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var names = try BoundedFile.names(inFolder: repository.appending(path: "pipelines").path)
        names =
            names.filter { $0.hasSuffix(".toml") }.map { "pipelines/\($0)" } + [
                "config.example.toml", "models/catalog.toml",
            ]
        var files = try names.map { try BoundedFile.bytes(of: repository.appending(path: $0).path) }
        files += Self.corners.map { Array($0.utf8) }
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

    /// Values that the samples lack: dates, escapes, numbers at their limits, nesting, texts in which structure means
    /// nothing.
    private static let corners = [
        "a = 1979-05-27T07:32:00.999999-07:00\nb = 07:32:00\nc = 1979-05-27\nd = 1979-05-27 07:32:00Z\n",
        "a = 9223372036854775807\nb = -9223372036854775808\nc = 0xFFFF_FFFF\nd = 0o777\ne = 0b1\nf = 1e308\ng = -nan\n",
        "a = \"\\u00e9\\U0010FFFF\\b\\t\\n\\f\\r\\\"\\\\\"\nb = '\\'\nc = \"\"\"\n\\\n  \"\"x\\\"\"\"\"\nd = \'\'\'\n\'\'x\'\'\'\'\'\n",
        "\u{FEFF}[a.\"b c\".'d']\r\ne = [[[[[[{ f = [[{ g.h.i = 1 }]] }]]]]]]\r\n[[a.j]]\r\n[[a.j]]\r\n[a.j.k]\r\n",
        "[=\n[[x]]\n[x]\nx = [}\nx = 1979-05-27Tx\na.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1\n\"\\u0000\" = 1\n",
    ]

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
