// SPDX-License-Identifier: Apache-2.0
/// The name of a member in the stream's lines.
///
/// Each name is defined once: in the folder of its line type, or here if several types share it. The encoder, the
/// readers of encoded lines and the schema all use these constants.
package struct FieldName: CodingKey, Hashable {
    package let text: StaticString

    @inline(__always)
    package init(_ text: StaticString) { self.text = text }

    package var description: String { text.description }

    package var stringValue: String { text.description }
    package var intValue: Int? { nil }

    /// Always nil: names are defined in this module and never come from a line.
    package init?(stringValue: String) { nil }
    package init?(intValue: Int) { nil }

    package static func == (left: FieldName, right: FieldName) -> Bool { left.stringValue == right.stringValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(stringValue) }
}

/// Names of the envelope.
extension FieldName {
    package static var version: FieldName { FieldName("v") }
    package static var type: FieldName { FieldName("type") }
    package static var sequence: FieldName { FieldName("seq") }
    package static var runID: FieldName { FieldName("run_id") }
    package static var pipeline: FieldName { FieldName("pipeline") }
    package static var tags: FieldName { FieldName("tags") }
    package static var time: FieldName { FieldName("time") }
    package static var clock: FieldName { FieldName("clock") }
}

/// Names that several line types share.
extension FieldName {
    package static var detector: FieldName { FieldName("detector") }
    package static var kind: FieldName { FieldName("kind") }
    /// The id of a track, or of a search result.
    package static var id: FieldName { FieldName("id") }
    package static var confidence: FieldName { FieldName("confidence") }
    package static var score: FieldName { FieldName("score") }
    package static var state: FieldName { FieldName("state") }
    package static var reason: FieldName { FieldName("reason") }
    package static var error: FieldName { FieldName("error") }
    package static var rule: FieldName { FieldName("rule") }
    /// The number of entries that did not fit into the line.
    package static var omitted: FieldName { FieldName("omitted") }
    /// The number of a track's detections, and the number of times a symbol was read.
    package static var hits: FieldName { FieldName("hits") }
    package static var reads: FieldName { FieldName("reads") }
    /// The number of earlier lines that a line stands for.
    package static var coalesced: FieldName { FieldName("coalesced") }
}

/// Names of a frame and its coordinates.
extension FieldName {
    package static var frame: FieldName { FieldName("frame") }
    package static var epoch: FieldName { FieldName("epoch") }
    package static var presentationTime: FieldName { FieldName("pts_ns") }
    package static var width: FieldName { FieldName("width") }
    package static var height: FieldName { FieldName("height") }
    package static var rotation: FieldName { FieldName("rotation") }
    package static var mirrored: FieldName { FieldName("mirrored") }

    package static var box: FieldName { FieldName("box") }
    package static var nbox: FieldName { FieldName("nbox") }
    package static var x: FieldName { FieldName("x") }
    package static var y: FieldName { FieldName("y") }
    package static var z: FieldName { FieldName("z") }
    package static var w: FieldName { FieldName("w") }
    package static var h: FieldName { FieldName("h") }
}
