// SPDX-License-Identifier: Apache-2.0
import EventLines
import JSONLines
import Observations

/// The names and captions of pictures.
package enum PictureLabel {
    /// `20261121T040312.123456789Z-face-12-best`: the names sort in the order of the frames, and a repeated run over a
    /// file gives equal names.
    static func fileName(_ event: SnapshotEvent) -> String {
        let time = event.frame.time.rfc3339.filter { $0 != "-" && $0 != ":" }
        return "\(time)-\(event.detector)-\(event.track)-\(event.rule.rawValue)"
    }

    /// The item in one word. A barcode's value is in no name, caption or metadata of a picture, because redaction
    /// applies to lines only.
    static func text(of detection: Detection) -> String {
        let word: String? =
            if case .barcode(let barcode) = detection.content { barcode.format?.rawValue } else {
                detection.content.labels.first?.text
            }
        return word ?? detection.kind.rawValue
    }

    package static func caption(_ label: String, _ time: Timestamp) -> String {
        let words = time.rfc3339.prefix(19).split(separator: "T")
        return "\(label)  \(words.joined(separator: " "))Z"
    }
}

/// The metadata file beside a picture.
package enum PictureMetadata {
    static func json(_ event: SnapshotEvent, pipeline: PipelineIdentity, label: String, box: Box) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            begin(pipeline, event.frame, &json)
            json.member("detector", event.detector)
            json.member("kind", event.kind.rawValue)
            json.member("id", event.track.description)
            json.member("rule", event.rule.rawValue)
            json.member("label", label)
            json.object("box") { json in
                json.member("x", box.x)
                json.member("y", box.y)
                json.member("w", box.width)
                json.member("h", box.height)
            }
            json.member("width", event.width)
            json.member("height", event.height)
            json.member("bytes", event.bytes)
            if let score = event.score { json.member("score", score) }
            if let confidence = event.confidence { json.member("confidence", confidence) }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
    /// The metadata of a snapshot of a whole frame, taken by command.
    package static func json(_ event: FrameSnapshotEvent, pipeline: PipelineIdentity) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            begin(pipeline, event.frame, &json)
            json.member("rule", FrameSnapshotEvent.rule)
            json.member("width", event.width)
            json.member("height", event.height)
            json.member("bytes", event.bytes)
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func begin(_ pipeline: PipelineIdentity, _ frame: FrameInfo, _ json: inout JSONWriter) {
        json.member("v", 1)
        json.member("pipeline", pipeline.name)
        if !pipeline.tags.isEmpty {
            json.object("tags") { json in
                for tag in pipeline.tags { json.member(dynamicKey: tag.key, tag.value) }
            }
        }
        json.member("time", frame.time)
        json.member("clock", frame.clock.rawValue)
        json.member("frame", frame.sequence)
    }
}
