// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

extension FrameInfo {
    func encode(to json: inout JSONWriter) {
        json.object(.frame) { json in
            json.member(.epoch, epoch)
            json.member(.sequence, sequence)
            json.member(.presentationTime, presentationTime)
            json.member(.width, width)
            json.member(.height, height)
            json.member(.rotation, rotation)
            json.member(.mirrored, mirrored)
        }
    }
}

extension Box {
    /// Writes the box as `box` in pixels and as `nbox` in fractions of the frame. Writes nothing if the box lies
    /// outside the frame.
    func encode(in frame: FrameInfo, to json: inout JSONWriter) {
        let (width, height) = (Float(frame.width), Float(frame.height))
        guard let box = clipped(width: width, height: height) else { return }
        json.object(.box) { box.encode(to: &$0) }
        json.object(.nbox) { json in
            Box(x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height)
                .encode(to: &json)
        }
    }
}
