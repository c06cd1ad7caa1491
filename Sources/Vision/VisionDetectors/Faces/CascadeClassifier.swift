// SPDX-License-Identifier: Apache-2.0
import CCascade
import Detectors
import Observations

/// One of OpenCV's cascades, by the plugin. Used by one thread.
final class CascadeClassifier {
    /// Debian's `opencv-data`.
    static let folder = "/usr/share/opencv4/haarcascades"

    /// A match of the cascade.
    struct Match {
        /// Pixels of the picture.
        var box: Box
        /// How many of the cascade's windows agree: 3 or more.
        var windows: Int
        /// 0...1, of `windows` alone; no probability.
        var confidence: Float
    }

    private let functions: cocv_functions
    private let cascade: OpaquePointer
    private var found: [cocv_object]

    /// - Parameters:
    ///   - file: its name in `folder`.
    ///   - width: wider pictures are reduced to this many pixels.
    ///   - step: from one searched size to the next, above 1 up to 2.
    ///   - capacity: matches in a picture at most.
    init(_ file: String, width: Int, step: Double, capacity: Int) throws(DetectorError) {
        var functions = cocv_functions()
        var isThere = false
        let missing = withErrorText { text, capacity in isThere = cocv_open(&functions, text, capacity) }
        guard isThere else {
            throw DetectorError("the cascade needs OpenCV: \(missing); apt-get install libopencv-objdetect406")
        }
        var loaded: OpaquePointer?
        let complaint = withErrorText { text, capacity in
            "\(Self.folder)/\(file)".withCString { path in
                var options = cocv_cascade_options()
                options.path = path
                options.detection_width = Int32(width)
                options.scale_factor = step
                _ = functions.load(&options, &loaded, text, capacity)
            }
        }
        guard let loaded else { throw DetectorError("\(complaint); apt-get install opencv-data") }
        self.functions = functions
        cascade = loaded
        found = [cocv_object](repeating: cocv_object(), count: capacity)
    }

    deinit { functions.destroy(cascade) }

    /// The matches in a luma plane, surest first.
    ///
    /// - Parameters:
    ///   - samples: valid until this returns.
    ///   - smallest: pixels of the picture.
    func matches(in samples: UnsafePointer<UInt8>, stride: Int, width: Int, height: Int, smallest: Float)
        throws(DetectorError) -> [Match]
    {
        var luma = cocv_luma()
        (luma.samples, luma.stride) = (samples, Int32(stride))
        (luma.width, luma.height) = (Int32(width), Int32(height))
        var count = 0
        var status = COCV_OK
        let complaint = withErrorText { text, capacity in
            status = functions.detect(cascade, &luma, smallest, &found, found.count, &count, text, capacity)
        }
        guard status == COCV_OK else { throw DetectorError("the cascade failed: \(complaint)") }
        return found.prefix(count).map { object in
            Match(
                box: Box(x: object.x, y: object.y, width: object.width, height: object.height),
                windows: Int(object.windows), confidence: object.confidence)
        }
    }
}
