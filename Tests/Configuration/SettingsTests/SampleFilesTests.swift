// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Settings

/// The shipped files are valid, and their comments are true.
struct SampleFilesTests {
    private static let example = repository.appending(path: "config.example.toml")

    @Test func theExampleConfigurationHasTheDefaults() throws {
        #expect(try DaemonSettings.load(file: Self.example.path) == DaemonSettings())
    }

    @Test(arguments: [
        ("webcam", "v4l2", false), ("rtsp", "rtsp", false), ("file", "file", false), ("test-pattern", "test", true),
        ("launch", "launch", false), ("objects", "file", false), ("search", "v4l2", false),
        ("text", "v4l2", false),
    ])
    func samplePipelinesAreValid(name: String, kind: String, enabled: Bool) throws {
        let file = repository.appending(path: "pipelines/\(name).toml").path
        let settings = try PipelineSettings.load(file: file)
        #expect(settings.source.kind.name == kind)
        #expect(settings.enabled == enabled)
        #expect(!settings.detectors.isEmpty)
    }

    /// The daemon starts on the repository's folder, and runs only pipelines that work on any machine.
    @Test func theDaemonAcceptsAllSamplePipelinesTogether() throws {
        let check = ConfigurationCheck(file: Self.example.path)
        #expect(check.problems == [])
        #expect(
            check.pipelines.map(\.name) == [
                "file", "launch", "objects", "front-door", "search", "shop", "test-pattern", "text",
                "webcam",
            ])
        #expect(check.pipelines.filter(\.enabled).map(\.name) == ["test-pattern"])
    }
}
