import Foundation
import Testing

@testable import Settings

/// The files we ship are right, and say what they claim.
struct SampleFilesTests {
    private static let example = repository.appending(path: "config.example.toml")

    @Test func theExampleIsTheDefaults() throws {
        #expect(try DaemonSettings.load(file: Self.example.path) == DaemonSettings())
    }

    /// Each key of the example matters: with another value the settings differ; so a misread key would be seen.
    @Test func everyKeyOfTheExampleIsRead() throws {
        let other = [
            "state_dir": "\"/s\"", "models_dir": "\"/m\"", "watch_files": "true", "log_level": "\"debug\"",
            "log_format": "\"json\"", "socket": "\"/run/x.sock\"", "mode": "\"0600\"", "group": "\"\"",
            "allow_users": "[\"root\"]", "allow_groups": "[\"root\"]", "restart_backoff": "[\"1s\", \"2s\"]",
            "queue": "\"1MiB\"", "journal_bytes": "\"1MiB\"", "journal_disk": "\"1GiB\"", "memory_limit": "\"1GiB\"",
            "max_subscribers": "7", "max_per_user": "7", "journal_events": "7", "crash_limit": "7",
            "pipelines": "\"p\"",
            "no_images": "true", "thread_limit": "7", "nice": "7", "cpu_weight": "7", "cpu_limit": "0.5",
            "crash_dump": "true", "sandbox": "\"off\"",
        ]
        let lines = try String(contentsOf: Self.example, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        var keys = 0
        for (index, line) in lines.enumerated() {
            guard !line.hasPrefix("#"), let equals = line.firstRange(of: " = ") else { continue }
            let key = String(line[..<equals.lowerBound])
            var changed = lines
            changed[index] = "\(key) = \(other[key] ?? "\"7s\"")"
            let settings = try DaemonSettings.parse(changed.joined(separator: "\n"))
            #expect(settings != DaemonSettings(), "\(key)")
            #expect(lines[index - 1].hasPrefix("# "), "\(key) has no comment above it")
            keys += 1
        }
        #expect(keys == 41)
    }

    @Test(arguments: [
        ("webcam", "v4l2", false), ("rtsp", "rtsp", false), ("file", "file", false), ("test-pattern", "test", true),
        ("launch", "launch", false), ("objects", "file", false), ("search", "v4l2", false),
    ])
    func pipelines(name: String, kind: String, enabled: Bool) throws {
        let file = repository.appending(path: "pipelines/\(name).toml").path
        let settings = try PipelineSettings.load(file: file)
        #expect(settings.source.kind.name == kind)
        #expect(settings.enabled == enabled)
        #expect(settings.face != nil || settings.barcode != nil || settings.object != nil)
    }

    /// The daemon started on the repository's own folder would start, and run only what works anywhere.
    @Test func allOfThemTogether() throws {
        let check = ConfigurationCheck(file: Self.example.path)
        #expect(check.problems == [])
        #expect(
            check.pipelines.map(\.name) == [
                "file", "launch", "objects", "front-door", "search", "shop", "test-pattern", "webcam",
            ])
        #expect(check.pipelines.filter(\.enabled).map(\.name) == ["test-pattern"])
    }
}
