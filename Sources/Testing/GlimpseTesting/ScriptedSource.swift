// SPDX-License-Identifier: Apache-2.0
import Frames

/// A source that a test scripts.
package final class ScriptedSource: FrameSource {
    private let failure: SourceError?
    private let script: () -> SourceOutput
    private let willStop: () -> Void
    package private(set) var calls: [String] = []

    /// - Parameters:
    ///   - failure: the error that `start` throws.
    ///   - willStop: called by `stop`.
    ///   - script: returns the next output.
    package init(
        failure: SourceError? = nil, willStop: @escaping () -> Void = {}, script: @escaping () -> SourceOutput
    ) {
        self.failure = failure
        self.willStop = willStop
        self.script = script
    }

    /// Gives these outputs, then the end.
    package convenience init(_ outputs: [SourceOutput]) {
        var rest = outputs[...]
        self.init { rest.popFirst() ?? .ended }
    }

    package func start() throws(SourceError) {
        calls.append("start")
        if let failure { throw failure }
    }

    package func next(timeout: Duration) -> SourceOutput { script() }

    package func stop() {
        willStop()
        calls.append("stop")
    }
}
