// SPDX-License-Identifier: Apache-2.0
import Frames

extension VideoDescription {
    /// Reads GStreamer's caps.
    ///
    /// - Throws: if the video is not H.264 or H.265 in the form of MP4 files.
    init(_ format: VideoFormat) throws(SourceError) {
        let fields = format.caps.split(separator: ",").map { $0.drop { $0 == " " } }
        let forms: [Substring: (codec: VideoCodec, stream: String)] = [
            "video/x-h264": (.h264, "avc"), "video/x-h265": (.h265, "hvc1"),
        ]
        guard let media = fields.first, let form = forms[media] else {
            let name = fields.first.map { $0 == "image/jpeg" ? "JPEG" : String($0) } ?? "video without a format"
            throw SourceError(.failed, "the camera sends \(name), neither H.264 nor H.265")
        }
        func value(_ name: String) -> Substring? {
            fields.first { $0.hasPrefix("\(name)=(") }.map { $0.drop { $0 != ")" }.dropFirst() }
        }
        guard value("stream-format") == form.stream[...], value("alignment") == "au",
            let width = value("width").flatMap({ Int($0) }),
            let height = value("height").flatMap({ Int($0) }), let digits = value("codec_data"),
            let configuration = Self.bytes(digits), configuration.count > 3
        else { throw SourceError(.failed, "the video has no decoder configuration yet") }
        self.init(codec: form.codec, width: width, height: height, configuration: configuration)
    }

    /// nil for a text that is not pairs of hexadecimal digits.
    private static func bytes(_ digits: Substring) -> [UInt8]? {
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == digits.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
