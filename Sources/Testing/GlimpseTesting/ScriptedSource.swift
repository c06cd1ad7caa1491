// SPDX-License-Identifier: Apache-2.0
import Frames

/// A source that a test scripts.
package final class ScriptedSource: FrameSource {
    private let failure: SourceError?
    private let script: () -> SourceOutput
    package private(set) var calls: [String] = []

    /// - Parameters:
    ///   - failure: the error that `start` throws.
    ///   - script: returns the next output.
    package init(failure: SourceError? = nil, script: @escaping () -> SourceOutput) {
        self.failure = failure
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

    package func stop() { calls.append("stop") }
}
