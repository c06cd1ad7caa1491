// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import EventLines
import JSONLines
import Search

extension SearchQuery {
    /// The description of the object for a server. For a barcode it contains only what an event line may contain.
    func json(_ reporting: BarcodeReporting) -> [UInt8] {
        var json = JSONWriter()
        var barcodes = BarcodeEncoder(reporting)
        json.object { json in
            json.member("v", 1)
            json.member("search", id)
            json.member("pipeline", pipeline)
            json.member("time", frame.time)
            json.member("clock", frame.clock.rawValue)
            json.member("width", frame.width)
            json.member("height", frame.height)
            json.member("detector", detector)
            json.member("id", track.description)
            json.object("object") { json in
                detection.encodeFeature(to: &json, barcodes: &barcodes, width: frame.width, height: frame.height)
            }
        }
        return json.bytes
    }
}
