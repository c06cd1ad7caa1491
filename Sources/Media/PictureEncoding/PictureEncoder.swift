// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames
import GStreamerSource
import Observations
import PictureRelease
import Synchronization

/// Makes JPEG pictures of frames. It blocks, so the frame path must not call it. Only one thread at a time may use it.
///
/// It keeps the elements of its last picture, which the next picture uses if its frame has the same form.
package final class PictureEncoder {
    /// How a picture is to look.
    package struct Form: Sendable, Equatable {
        /// Pixels; a wider frame is made smaller, in its proportions. nil: as it is.
        package var maximumWidth: Int?
        /// The quality of libjpeg, 1...100.
        package var quality: Int
        /// Burnt in at the lower left.
        package var caption: String?
        /// Makes a smaller picture of neighbouring pixels only, in about a third of the time.
        package var isFast = false

        package init(maximumWidth: Int? = nil, quality: Int = 90, caption: String? = nil) {
            self.maximumWidth = maximumWidth
            self.quality = quality
            self.caption = caption
        }

        /// The size of the picture of a frame: never enlarged, at least one pixel, and even where chroma covers pixels
        /// by twos.
        package func size(of frame: Frame) -> (width: Int, height: Int) {
            guard let limit = maximumWidth, frame.width > limit else { return (frame.width, frame.height) }
            let width = max(2, limit & ~1)
            return (width, max(2, Int((Double(frame.height * width) / Double(frame.width)).rounded()) & ~1))
        }
    }

    package struct Picture: Sendable, Equatable {
        package var bytes: [UInt8]
        package var width: Int
        package var height: Int
    }

    /// More for a picture is a library that hangs.
    private static let limit = GstClockTime(10_000_000_000)
    private static let made = Atomic<Int>(0)

    /// How many encoders this process has made.
    package static var count: Int { made.load(ordering: .relaxed) }

    /// The form of the frames that the elements were made for.
    private struct Kind: Equatable {
        var width: Int
        var height: Int
        var format: PixelFormat
        var colour: PictureColour
    }

    private let form: Form
    private var graph: (kind: Kind, Graph)?

    package init(_ form: Form = Form()) {
        self.form = form
    }

    /// Encodes one picture. See `encode`.
    package static func encode(_ picture: ReleasedPicture, _ form: Form = Form()) throws(SourceError) -> Picture {
        try PictureEncoder(form).encode(picture)
    }

    /// Encodes a picture, as upright as it is. Its colours are converted to what JFIF says: BT.601 in full range.
    ///
    /// - Throws: when there is no encoder, or none for captions.
    package func encode(_ picture: ReleasedPicture) throws(SourceError) -> Picture {
        let frame = picture.frame
        try GStreamerRuntime.start()
        Self.made.add(1, ordering: .relaxed)
        let size = form.size(of: frame)
        // The encoder reads whole units of coding: past the last column, into memory of which nobody knows what is in
        // it. So it is given whole ones, and the header says what of them is the picture.
        let unit = frame.format == .gray8 ? 8 : 16
        let whole = (width: size.width.roundedUp(to: unit), height: size.height.roundedUp(to: unit))
        guard
            let (buffer, caps) = frame.buffer(
                width: frame.width.scaled(whole.width, over: size.width),
                height: frame.height.scaled(whole.height, over: size.height))
        else {
            throw SourceError(.failed, "no JPEG picture: the frame cannot be copied")
        }
        defer { cgst_mini_unref(caps) }
        let kind = Kind(width: frame.width, height: frame.height, format: frame.format, colour: frame.colour)
        let graph: Graph
        do throws(SourceError) {
            if let kept = self.graph, kept.kind == kind {
                graph = kept.1
            } else {
                graph = try Graph(
                    form, caps, size: whole, margin: whole.height - size.height, isGrey: frame.format == .gray8)
            }
        } catch {
            cgst_mini_unref(buffer)
            throw error
        }
        self.graph = nil
        guard var bytes = graph.run(buffer, Self.limit) else { throw graph.failure }
        self.graph = (kind, graph)
        guard JPEGHeader.setSize(width: size.width, height: size.height, in: &bytes) else {
            throw SourceError(.failed, "no JPEG picture: the encoder's output has no size")
        }
        return Picture(bytes: bytes, width: size.width, height: size.height)
    }
}

extension Int {
    func roundedUp(to unit: Int) -> Int { (self + unit - 1) / unit * unit }

    /// This many times that proportion, and no less than it was.
    fileprivate func scaled(_ part: Int, over whole: Int) -> Int {
        Swift.max(self, Int((Double(self) * Double(part) / Double(whole)).rounded()))
    }
}

/// appsrc, conversion, caption, encoder, appsink: for pictures of frames of one form.
private final class Graph {
    private let pipeline: MediaPipeline
    private let source: Element
    private let sink: Element
    /// The number of pictures made.
    private var count: GstClockTime = 0

    /// - Parameters:
    ///   - caps: those of the frames.
    ///   - margin: rows at the bottom that will not be seen.
    init(
        _ form: PictureEncoder.Form, _ caps: UnsafeMutablePointer<GstCaps>, size: (width: Int, height: Int),
        margin: Int, isGrey: Bool
    ) throws(SourceError) {
        pipeline = try MediaPipeline()
        source = try pipeline.add("appsrc")
        cgst_set(source, "format", "time")
        let scale = try pipeline.add("videoscale")
        // Every source pixel counts: a picture that is made four times smaller by neighbours alone has stairs.
        cgst_set(scale, "method", form.isFast ? "bilinear" : "lanczos")
        let convert = try pipeline.add("videoconvert")
        let format = isGrey ? "GRAY8" : "I420"
        let colours = isGrey ? "" : ",colorimetry=(string)1:4:0:0"
        let filter = try pipeline.addCapsFilter(
            "video/x-raw,format=\(format),width=\(size.width),height=\(size.height)\(colours)")
        var chain = [source, scale, convert, filter]
        if let caption = form.caption {
            let overlay = try pipeline.add("textoverlay")
            cgst_set_string(overlay, "text", PangoText.escaped(caption))
            for (property, value) in [
                ("halignment", "left"), ("valignment", "bottom"), ("shaded-background", "true"), ("wait-text", "false"),
                ("auto-resize", "true"), ("font-desc", "Sans 20"), ("ypad", String(25 + margin)),
            ] {
                cgst_set(overlay, property, value)
            }
            chain.append(overlay)
        }
        let encoder = try pipeline.add("jpegenc")
        cgst_set(encoder, "quality", String(form.quality))
        sink = try pipeline.add("appsink")
        cgst_set_boolean(sink, "sync", 0)
        chain += [encoder, sink]
        for (upstream, downstream) in zip(chain, chain.dropFirst()) where gst_element_link(upstream, downstream) == 0 {
            throw SourceError(.failed, "no JPEG picture: GStreamer cannot link its elements")
        }
        gst_app_src_set_caps(cgst_app_src(source), caps)
        _ = pipeline.play()
    }

    deinit { pipeline.stop() }

    /// - Parameter buffer: given away.
    func run(_ buffer: UnsafeMutablePointer<GstBuffer>, _ limit: GstClockTime) -> [UInt8]? {
        cgst_buffer_set_times(buffer, count * 1_000_000_000, 1_000_000_000)
        count += 1
        gst_app_src_push_buffer(cgst_app_src(source), buffer)
        guard let sample = gst_app_sink_try_pull_sample(cgst_app_sink(sink), limit) else { return nil }
        defer { gst_sample_unref(sample) }
        guard let encoded = gst_sample_get_buffer(sample) else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(gst_buffer_get_size(encoded)))
        let count = gst_buffer_extract(encoded, 0, &bytes, gsize(bytes.count))
        return count == bytes.count ? bytes : nil
    }

    var failure: SourceError {
        pipeline.takeFailure(of: "no JPEG picture")
            ?? SourceError(.failed, "no JPEG picture: the encoder gives nothing")
    }
}

/// Texts for Pango, which reads marks in them.
enum PangoText {
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
