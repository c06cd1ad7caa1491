import COpenVINO
import Detectors
import Frames

/// A neural network that takes pictures as they lie in memory: colour conversion, resize and layout are part of the compiled graph.
/// Used by one thread.
final class InferenceModel {
    struct Options: Hashable {
        var path: String
        var device: String
        var threads: Int
        var cacheFolder: String?
        var format: PixelFormat
        /// Network input in pixels; 0: the model's own.
        var inputWidth: Int
        var inputHeight: Int
    }

    private let model: OpaquePointer

    /// Reads and reshapes the network. It is compiled when the first picture comes, unless `frameSize` says now.
    init(_ options: Options, frameSize: (width: Int, height: Int)? = nil) throws(DetectorError) {
        var loaded: OpaquePointer?
        let complaint = withErrorText { text, capacity in
            options.path.withCString { path in
                options.device.withCString { device in
                    (options.cacheFolder ?? "").withCString { cache in
                        var c = covn_model_options()
                        c.path = path
                        c.device = device
                        c.cache_dir = options.cacheFolder == nil ? nil : cache
                        c.threads = Int32(options.threads)
                        c.pixel_format =
                            switch options.format {
                            case .nv12: COVN_NV12
                            case .i420: COVN_I420
                            case .gray8: COVN_GREY
                            }
                        (c.input_width, c.input_height) = (Int32(options.inputWidth), Int32(options.inputHeight))
                        if let frameSize {
                            (c.frame_width, c.frame_height) = (Int32(frameSize.width), Int32(frameSize.height))
                        }
                        _ = covn_model_load(&c, &loaded, text, capacity)
                    }
                }
            }
        }
        guard let loaded else { throw DetectorError("cannot use \(options.path): \(complaint)") }
        model = loaded
    }

    deinit { covn_model_destroy(model) }

    /// Runs the network. `output` may be asked until the next call.
    func infer(_ view: FrameView) throws(DetectorError) {
        var image = covn_image()
        let planes = view.planes
        image.planes.0 = planes[0].base
        image.strides.0 = Int32(planes[0].stride)
        if planes.count > 1 { (image.planes.1, image.strides.1) = (planes[1].base, Int32(planes[1].stride)) }
        if planes.count > 2 { (image.planes.2, image.strides.2) = (planes[2].base, Int32(planes[2].stride)) }
        (image.width, image.height) = (Int32(view.width), Int32(view.height))
        var status = COVN_OK
        let complaint = withErrorText { text, capacity in
            status = covn_model_infer(model, &image, text, capacity)
        }
        withExtendedLifetime(view.frame) {}
        guard status == COVN_OK else { throw DetectorError("inference failed: \(complaint)") }
    }

    /// Pixels of the network's input per pixel of the last picture.
    var inputScale: (x: Float, y: Float) {
        var (x, y) = (0.0, 0.0)
        covn_model_input_scale(model, &x, &y)
        return (Float(x), Float(y))
    }

    func hasOutput(_ name: String) -> Bool { covn_model_output_index(model, name) >= 0 }

    /// An output's values, row-major; valid until the next `infer`.
    func output(_ name: String) throws(DetectorError) -> UnsafeBufferPointer<Float> {
        let index = covn_model_output_index(model, name)
        guard index >= 0 else { throw DetectorError("the model has no output \"\(name)\"") }
        var count = 0
        let data = covn_model_output_data(model, Int(index), &count)
        return UnsafeBufferPointer(start: data, count: count)
    }
}
