// SPDX-License-Identifier: Apache-2.0
import COpenVINO
import Detectors
import Frames
import ModelCatalog

/// A network compiled for pictures of one kind. Every lane of the process that needs the same one shares it
/// (`GraphRegistry`).
final class CompiledGraph: @unchecked Sendable {  // Sound: the C graph is immutable and made to be shared by threads.
    struct Key: Hashable, Sendable {
        let options: InferenceOptions
        let picture: InferencePicture.Kind
    }

    let handle: OpaquePointer
    let placement: InputPlacement
    /// Whether it came out of the cache.
    let isCached: Bool
    /// Keeps the place in the registry as long as there is something in it.
    private let slot: GraphRegistry.Slot

    init(_ key: Key, network: Network, slot: GraphRegistry.Slot) throws(DetectorError) {
        var graph: OpaquePointer?
        var isCached = false
        let complaint = withErrorText { text, capacity in
            key.options.device.withCString { device in
                var c = covn_graph_options(key)
                c.device = device
                _ = covn_graph_compile(network.handle, &c, &graph, &isCached, text, capacity)
            }
        }
        guard let graph else { throw DetectorError(complaint) }
        handle = graph
        var geometry = covn_geometry()
        covn_graph_geometry(graph, &geometry)
        placement = InputPlacement(
            scaleX: Float(geometry.scale_x), scaleY: Float(geometry.scale_y), offsetX: Float(geometry.offset_x),
            offsetY: Float(geometry.offset_y))
        self.isCached = isCached
        self.slot = slot
    }

    /// Gives the memory back that only a run needs; the next run allocates it again. Does nothing while another lane
    /// runs the graph.
    func rest() { covn_graph_rest(handle) }

    deinit { covn_graph_destroy(handle) }
}

extension covn_graph_options {
    /// Copies all members except texts.
    fileprivate init(_ key: CompiledGraph.Key) {
        self.init()
        let (input, picture) = (key.options.input, key.picture)
        threads = Int32(key.options.threads)
        pixel_format =
            switch picture.format {
            case .nv12: COVN_NV12
            case .i420: COVN_I420
            case .grey: COVN_GREY
            case .bgr: COVN_BGR
            }
        matrix =
            switch picture.colour.matrix {
            case .bt601: COVN_BT601
            case .bt709: COVN_BT709
            case .bt2020: COVN_BT2020
            }
        full_range = picture.colour.range == .full
        (frame_width, frame_height) = (Int32(picture.width), Int32(picture.height))
        switch input.resize {
        // The remaining part of the picture has the input's proportions.
        case .stretch, .crop: fit = COVN_STRETCH
        case .letterbox(let anchor, let padding):
            fit = anchor == .topLeft ? COVN_LETTERBOX_TOP_LEFT : COVN_LETTERBOX_CENTRE
            self.padding = padding
        case .inset(let padding):
            fit = COVN_INSET
            self.padding = padding
        }
        mean = (input.mean[0], input.mean[1], input.mean[2])
        scale = (input.scale[0], input.scale[1], input.scale[2])
    }
}
