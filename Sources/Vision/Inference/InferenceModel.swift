// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import ModelCatalog

/// A neural network that takes pictures as they lie in memory: resize, letterbox, colour conversion, mean, scale and
/// layout are part of the compiled graph. Used by one thread; lanes that use the same network share what is compiled,
/// not this.
///
/// The first picture of a new size or layout waits for a compilation. It takes a tenth of a second for a small network,
/// less with a cache. The `keptRequests` most recent kinds are kept, so a few alternating regions of interest cost
/// nothing.
///
/// A region whose size changes with every picture costs a compilation each time.
package final class InferenceModel {
    private static let keptRequests = 4

    package let options: InferenceOptions
    /// The network's outputs, in its own order.
    package let outputs: [TensorDescription]
    /// The outputs of the last `infer`, in the order of `outputs`; valid until the next call. Empty before the first.
    package private(set) var tensors: [Tensor] = []

    /// The network as read from its file, until it is compiled.
    private var network: Network?
    /// Most recent last.
    private var requests: [(kind: InferencePicture.Kind, request: InferenceRequest)] = []

    /// Reads the network and reshapes it; throws when it is not a network of one picture of that kind. It is compiled
    /// when the first picture comes, or when `prepare` says so.
    package init(_ options: InferenceOptions) throws(DetectorError) {
        self.options = options
        let network = try Network(options)
        self.network = network
        outputs = network.outputs
    }

    /// Compiles for pictures to come.
    package func prepare(for kind: InferencePicture.Kind) throws(DetectorError) {
        guard requests.last?.kind != kind else { return }
        if let known = requests.firstIndex(where: { $0.kind == kind }) {
            requests.append(requests.remove(at: known))
            return
        }
        let key = CompiledGraph.Key(options: options, picture: kind)
        let graph = try GraphRegistry.graph(for: key) { [network, options] () throws(DetectorError) in
            if let network { return network }
            return try Network(options)
        }
        network = nil
        let request = try InferenceRequest(graph)
        if requests.count == Self.keptRequests { requests.removeFirst() }
        requests.append((kind, request))
    }

    /// Runs the network.
    package func infer(_ picture: InferencePicture) throws(DetectorError) {
        try prepare(for: picture.kind)
        tensors.removeAll(keepingCapacity: true)
        let request = requests[requests.count - 1].request
        try request.infer(picture)
        for index in outputs.indices { tensors.append(request.output(index)) }
    }

    /// Runs the network on what the view shows; on its middle, where the input is cropped.
    package func infer(_ whole: FrameView) throws(DetectorError) {
        let view = options.input.part(of: whole)
        defer { withExtendedLifetime(view.frame) {} }
        try infer(InferencePicture(view))
    }

    /// Runs the network alone on the last picture, which must still be there: what the rest of a detector is measured
    /// against.
    package func inferAgain() throws(DetectorError) {
        guard let last = requests.last else { throw DetectorError("no picture yet") }
        try last.request.inferAgain()
    }

    /// Gives the memory back that only `infer` needs. The next call allocates it again; until then `tensors` stay
    /// valid.
    package func rest() {
        for (_, request) in requests { request.graph.rest() }
    }

    /// Where the last picture was in the network's input.
    package var placement: InputPlacement { requests.last?.request.graph.placement ?? InputPlacement() }

    /// Whether what runs now came out of the cache.
    package var isCached: Bool { requests.last?.request.graph.isCached ?? false }

    /// The index of the output of that name; throws with the names that there are.
    package func output(named name: String) throws(DetectorError) -> Int {
        if let index = outputs.firstIndex(where: { $0.name == name }) { return index }
        let names = outputs.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw DetectorError("\(options.path) has no output \"\(name)\"; it has \(names)")
    }
}
