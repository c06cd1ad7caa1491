// SPDX-License-Identifier: Apache-2.0
import Detectors
import EventLines
import Frames
import GStreamerSource
import Installation
import JSONLines
import Observations
import Pipelines
import Settings

/// Single-image mode: detects features in pictures, without tracks. Only one thread may use it.
package struct ImageExaminer {
    /// Messages for people before the first image: detectors that are not operational, and fallbacks.
    package private(set) var complaints: [String] = []
    private var detectors: [any Detector] = []
    /// The reasons why requested detectors are not operational; every image's line contains them.
    private var inoperative: [String] = []
    private var barcodes: BarcodeEncoder
    private let source: SourceSettings

    package init(settings: PipelineSettings, resources: ResourceFolders) {
        var settings = settings
        settings.detectors = settings.detectors.map { detector in
            guard case .object(var object) = detector.settings else { return detector }
            object.mode = .single
            return ConfiguredDetector(.object(object), name: detector.name)
        }
        source = settings.source
        barcodes = BarcodeEncoder(settings.barcodeReporting)
        for lane in settings.lanes(models: resources.models) {
            do {
                let loaded = try lane.detector.makeDetector()
                detectors.append(loaded.detector)
                if let remark = loaded.remark { complaints.append("\(lane.detector.name): \(remark)") }
            } catch {
                inoperative.append("\(lane.detector.name) is not operational: \(error.description)")
            }
        }
        complaints += inoperative
    }

    /// The line for one image, and whether the image could be read and every detector processed it.
    package mutating func examine(_ file: String) -> (line: [UInt8], isComplete: Bool) {
        do {
            let frame = try picture(file)
            var features: [Detection] = []
            var failures = inoperative
            for detector in detectors {
                do throws(DetectorError) {
                    features += try detector.detect(in: frame)
                } catch {
                    failures.append(error.description)
                }
            }
            let error = failures.isEmpty ? nil : failures.joined(separator: "; ")
            return (line(file, frame.info, features, error: error), failures.isEmpty)
        } catch {
            return (line(file, nil, [], error: error.description), false)
        }
    }

    /// The first frame of the file, upright.
    private func picture(_ file: String) throws(SourceError) -> Frame {
        try GStreamerSource.picture(of: file, source)
    }

    private mutating func line(
        _ file: String, _ info: FrameInfo?, _ features: [Detection], error: String?
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("file", file)
            if let info {
                json.member("width", info.width)
                json.member("height", info.height)
                json.array("features") { json in
                    for feature in features {
                        json.object {
                            feature.encodeFeature(
                                to: &$0, barcodes: &barcodes, width: info.width, height: info.height)
                        }
                    }
                }
            }
            if let error { json.member("error", error) }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
