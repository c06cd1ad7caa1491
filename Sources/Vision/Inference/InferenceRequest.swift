// SPDX-License-Identifier: Apache-2.0
import COpenVINO
import Detectors
import Frames

/// A lane's own run of a graph. Used by one thread at a time.
final class InferenceRequest {
    let graph: CompiledGraph
    private let handle: OpaquePointer

    init(_ graph: CompiledGraph) throws(DetectorError) {
        var request: OpaquePointer?
        let complaint = withErrorText { text, capacity in
            _ = covn_request_make(graph.handle, &request, text, capacity)
        }
        guard let request else { throw DetectorError(complaint) }
        self.graph = graph
        handle = request
    }

    deinit { covn_request_destroy(handle) }

    func infer(_ picture: InferencePicture) throws(DetectorError) {
        var image = covn_image()
        let planes = picture.planes
        (image.planes.0, image.strides.0) = (planes.0.base, Int32(planes.0.stride))
        if let second = planes.1 { (image.planes.1, image.strides.1) = (second.base, Int32(second.stride)) }
        if let third = planes.2 { (image.planes.2, image.strides.2) = (third.base, Int32(third.stride)) }
        (image.width, image.height) = (Int32(picture.kind.width), Int32(picture.kind.height))
        var status = COVN_OK
        let complaint = withErrorText { text, capacity in
            status = covn_request_infer(handle, &image, text, capacity)
        }
        guard status == COVN_OK else { throw DetectorError("inference failed: \(complaint)") }
    }

    /// Runs the network alone, again, on the picture of the last `infer`, which must still be there.
    func inferAgain() throws(DetectorError) {
        var status = COVN_OK
        let complaint = withErrorText { text, capacity in status = covn_request_repeat(handle, text, capacity) }
        guard status == COVN_OK else { throw DetectorError("inference failed: \(complaint)") }
    }

    /// `index` is in range. Valid until the next inference.
    func output(_ index: Int) -> Tensor {
        var tensor = covn_tensor()
        covn_request_output(handle, index, &tensor)
        return Tensor(UnsafeBufferPointer(start: tensor.data, count: tensor.count), tensor.shape)
    }
}
