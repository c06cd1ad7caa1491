// SPDX-License-Identifier: Apache-2.0
/// Names the Debian package of a missing element.
enum DebianPackage {
    private static let packages: [(elements: [String], package: String)] = [
        (
            [
                "videoconvert", "videoscale", "videorate", "videotestsrc", "decodebin", "uridecodebin", "appsink",
                "appsrc",
                "oggdemux", "theoradec", "vorbisdec",
            ], "gstreamer1.0-plugins-base"
        ),
        (
            [
                "v4l2src", "rtspsrc", "rtph264depay", "rtph265depay", "rtpjpegdepay", "videoflip", "videocrop",
                "jpegdec", "jpegenc",
                "pngdec", "matroskademux", "qtdemux", "avidemux", "vp8dec", "vp9dec", "multifilesrc",
            ],
            "gstreamer1.0-plugins-good"
        ),
        (
            ["webpdec", "jpegparse", "openh264enc", "h264parse", "h265parse", "av1dec", "dav1ddec"],
            "gstreamer1.0-plugins-bad"
        ),
        (["x264enc", "mpeg2dec", "asfdemux"], "gstreamer1.0-plugins-ugly"),
        (["textoverlay"], "gstreamer1.0-x"),
        (["filesrc", "capsfilter", "queue", "tee", "identity", "typefind", "fakesink"], "libgstreamer1.0-0"),
    ]

    static func advice(forElement element: String) -> String {
        if let known = packages.first(where: { $0.elements.contains(element) }) {
            return "apt-get install \(known.package)"
        }
        if element.hasPrefix("avdec_") || element.hasPrefix("avdemux_") { return "apt-get install gstreamer1.0-libav" }
        return "find its package with: apt-cache search gstreamer1.0"
    }

    /// For a stream format that nothing here decodes.
    static let codecAdvice = "apt-get install gstreamer1.0-libav gstreamer1.0-plugins-good gstreamer1.0-plugins-bad"
}
