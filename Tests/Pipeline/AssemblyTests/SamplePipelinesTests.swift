// SPDX-License-Identifier: Apache-2.0
import Foundation
import Frames
import GlimpseTesting
import Installation
import Observations
import Settings
import Testing

@testable import Assembly

/// The shipped pipelines. Each is parsed and assembled, and a pipeline that needs no hardware gives a frame.
@Suite struct SamplePipelinesTests {
    static let files = ["file", "launch", "objects", "rtsp", "search", "shop", "test-pattern", "text", "webcam"]

    @Test func theListOfSamplePipelinesIsComplete() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(Checkout.root)/pipelines")
        #expect(Set(names) == Set(Self.files.map { "\($0).toml" }))
    }

    @Test(arguments: files)
    func everySamplePipelineIsAssembled(name: String) throws {
        var settings = try PipelineSettings.load(file: "\(Checkout.root)/pipelines/\(name).toml")
        // The password is read when the source is made; the sample's file is not on this machine.
        if case .rtsp(var camera) = settings.source.kind {
            let scope = TestScope()
            camera.password = .file(scope.write("password", "secret\n"))
            settings.source.kind = .rtsp(camera)
            _ = try settings.source.makeSource(resources: .ofThisProcess())
        } else {
            _ = try settings.source.makeSource(resources: .ofThisProcess())
        }
        let lanes = settings.lanes(models: ResourceFolders.ofThisProcess().models)
        #expect(!lanes.isEmpty)
        #expect(Set(lanes.map(\.detector.name)).count == lanes.count)
    }

    @Test(arguments: ["launch", "test-pattern"])
    func everySamplePipelineGivesAFrame(name: String) throws {
        let settings = try PipelineSettings.load(file: "\(Checkout.root)/pipelines/\(name).toml")
        let source = try settings.source.makeSource(resources: .ofThisProcess())
        try source.start()
        defer { source.stop() }
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            switch source.next(timeout: .milliseconds(500)) {
            case .frame(let frame):
                #expect(frame.width >= 640)
                return
            case .failed(let error): throw error
            case .ended, .nothing: continue
            }
        }
        Issue.record("no frame")
    }
}
