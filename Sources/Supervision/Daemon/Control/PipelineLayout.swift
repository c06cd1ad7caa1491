// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations
import Settings

/// The places in a pipeline's picture, for programs that draw them. Coordinates are 0...1 of the upright picture.
struct PipelineLayout: Sendable {
    private let zones: [Zone]
    private let lines: [CrossingLine]
    private let masks: [Mask]
    /// Whether pictures may leave the worker.
    private let allowsPictures: Bool
    /// The reasons why the camera's own video is not passed on, if the daemon allows pictures and if not; nil: it is.
    private let videoObstacle: (allowed: String?, forbidden: String?)

    init(_ settings: PipelineSettings) {
        (zones, lines, masks) = (settings.zones, settings.lines, settings.source.masks)
        allowsPictures = settings.privacy.pictures
        videoObstacle = (settings.videoObstacle(allowsPictures: true), settings.videoObstacle(allowsPictures: false))
    }

    func encode(to json: inout JSONWriter, hasPictures: Bool) {
        json.member("pictures_allowed", hasPictures && allowsPictures)
        if let reason = hasPictures ? videoObstacle.allowed : videoObstacle.forbidden {
            json.member("video_withheld", reason)
        }
        json.array("zones") { json in
            for zone in zones {
                json.object { json in
                    json.member("name", zone.name)
                    json.array("polygon") { json in for corner in zone.polygon { json.element(corner) } }
                }
            }
        }
        json.array("lines") { json in
            for line in lines {
                json.object { json in
                    json.member("name", line.name)
                    json.key("from")
                    json.element(line.from)
                    json.key("to")
                    json.element(line.to)
                }
            }
        }
        json.array("masks") { json in
            for mask in masks {
                json.object { json in
                    json.member("name", mask.name)
                    json.array("polygon") { json in for corner in mask.polygon { json.element(corner) } }
                }
            }
        }
    }
}

extension JSONWriter {
    /// Writes `[x,y]`.
    fileprivate mutating func element(_ point: Point) {
        element(raw: "[\(point.x),\(point.y)]".utf8)
    }
}
