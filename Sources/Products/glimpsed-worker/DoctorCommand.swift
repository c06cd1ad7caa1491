// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Assembly
import Detectors
import GStreamerSource
import Installation
import Sandbox
import Settings
import VisionDetectors

/// The part of `glimpsed doctor` that needs the media and vision libraries.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check media libraries, models and cameras.", shouldDisplay: false)

    private static let elements = [
        ("videoconvert", "conversion"), ("decodebin", "decoding"), ("videoflip", "rotation"),
        ("v4l2src", "USB cameras"),
        ("rtspsrc", "network cameras"), ("avdec_h264", "H.264 video"), ("avdec_h265", "H.265 video"),
        ("jpegdec", "JPEG"), ("pngdec", "PNG"), ("webpdec", "WebP"), ("jpegparse", "orientation of photographs"),
        ("openh264enc", "clips of covered pictures"),
    ]

    @Option(help: "Run this pipeline for up to 10 seconds.")
    var pipeline: String?

    func run() throws {
        var isHealthy = true
        func report(_ isGood: Bool, _ text: String, fix: String = "") {
            say("\(isGood ? "ok     " : "MISSING") \(text)\(isGood || fix.isEmpty ? "" : "; \(fix)")")
            if !isGood { isHealthy = false }
        }
        report(GStreamerInventory.version != nil, GStreamerInventory.version ?? "GStreamer")
        for (element, use) in Self.elements {
            report(
                GStreamerInventory.has(element: element), "GStreamer element \(element) (\(use))",
                fix: GStreamerInventory.advice(forElement: element))
        }
        for (choice, names) in GStreamerInventory.hardwareDecoders {
            let mark = names.isEmpty ? "none    " : "ok      "
            say("\(mark)decoders for source.decoder = \"\(choice)\": \(names.joined(separator: ", "))")
        }
        let resources = ResourceFolders.ofThisProcess()
        let models = resources.models
        for problem in models.problems { report(false, "model catalogue: \(problem)") }
        for model in models.catalog.entries where models.isInstalled(model) {
            report(true, "model \(model.name) (\(model.kind.rawValue): \(model.gives))")
        }
        let face = FaceDetectorFactory(FaceSettings(), models: models)
        do {
            let loaded = try face.makeDetector()
            _ = try loaded.detector.detect(in: BlankPicture.frame)
            report(
                loaded.remark == nil, "face model \(loaded.model ?? "") runs on the CPU",
                fix: loaded.remark ?? "")
        } catch {
            report(false, "face detector: \(error)")
        }
        reportObjects(models: resources.models)
        report(resources.demoPicture != nil, "the demo's photograph", fix: "run scripts/setup.sh")
        let sandbox = SandboxSupport.ofThisKernel
        for lacking in sandbox.missing { say("none    worker sandbox: \(lacking)") }
        if sandbox.missing.isEmpty {
            say("ok      worker sandbox: files (Landlock \(sandbox.landlock)), sockets, system calls")
        }
        let cameras = Cameras.all
        if cameras.isEmpty { say("none    cameras (/dev/video*)") }
        for camera in cameras {
            report(
                Cameras.isUsable(camera), "camera \(camera)",
                fix: "add the user to the group video: usermod -aG video USER")
        }
        if let pipeline, try !runs(pipeline) { isHealthy = false }
        if !isHealthy { throw ExitStatus.failed }
    }

    private func runs(_ pipeline: String) throws -> Bool {
        let settings: PipelineSettings
        do {
            settings = try PipelineSettings.load(file: pipeline) { say("warning: \($0)") }
        } catch {
            say(error.description)
            throw ExitStatus.configuration
        }
        return PipelineTrial(settings: settings, resources: .ofThisProcess()).run { mark, text in
            say("\(mark)\(String(repeating: " ", count: max(1, 8 - mark.count)))\(text)")
        }
    }

    /// Reports the object model. It is optional: without a model the detector finds moving objects.
    private func reportObjects(models: ModelLibrary) {
        do {
            let loaded = try ObjectDetectorFactory(ObjectSettings(), models: models, low: 0).makeDetector()
            _ = try loaded.detector.detect(in: BlankPicture.frame)
            let model = "object model \(loaded.model ?? "") runs on the CPU"
            say(loaded.remark.map { "none    object model: \($0)" } ?? "ok      \(model)")
        } catch {
            say("none    object detector: \(error)")
        }
    }
}
