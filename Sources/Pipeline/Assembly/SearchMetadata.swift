// SPDX-License-Identifier: Apache-2.0
import PictureEncoding
import JSONLines
import Search

/// The metadata file beside a search's picture. For a barcode it contains only the kind, not the value.
enum SearchMetadata {
    static func json(_ query: SearchQuery, _ picture: PictureEncoder.Picture) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("v", 1)
            json.member("pipeline", query.pipeline)
            json.member("time", query.frame.time)
            json.member("clock", query.frame.clock.rawValue)
            json.member("frame", query.frame.sequence)
            json.member("detector", query.detector)
            json.member("kind", query.kind.rawValue)
            json.member("id", query.track.description)
            json.member("search", query.id)
            json.member("width", picture.width)
            json.member("height", picture.height)
            json.member("bytes", picture.bytes.count)
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
