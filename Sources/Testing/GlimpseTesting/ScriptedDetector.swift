// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Observations

/// A detector that a test scripts.
package struct ScriptedDetectorFactory: DetectorFactory {
    package typealias Script = @Sendable (Frame) throws(DetectorError) -> [Detection]

    package let name: String
    package let kind: FeatureKind
    private let load: @Sendable () throws(DetectorError) -> Void
    private let focusChanged: @Sendable (Box?) -> Void
    private let isOperational: @Sendable () -> Bool
    private let region: NormalizedRegion?
    private let script: Script

    /// - Parameters:
    ///   - load: called each time a detector is made.
    ///   - region: the part of the picture that the detector sees; nil if it must see every frame.
    ///   - script: called for each frame, on the lane's thread.
    package init(
        _ name: String, kind: FeatureKind = .face, load: @escaping @Sendable () throws(DetectorError) -> Void = {},
        focusChanged: @escaping @Sendable (Box?) -> Void = { _ in },
        isOperational: @escaping @Sendable () -> Bool = { true }, region: NormalizedRegion? = nil,
        script: @escaping Script
    ) {
        self.region = region
        self.name = name
        self.kind = kind
        self.load = load
        self.focusChanged = focusChanged
        self.isOperational = isOperational
        self.script = script
    }

    package func makeDetector() throws(DetectorError) -> LoadedDetector {
        try load()
        return LoadedDetector(
            ScriptedDetector(script: script, focusChanged: focusChanged, whetherOperational: isOperational),
            model: "script", region: region)
    }
}

private final class ScriptedDetector: Detector {
    private let script: ScriptedDetectorFactory.Script
    private let focusChanged: @Sendable (Box?) -> Void

    private let whetherOperational: @Sendable () -> Bool

    init(
        script: @escaping ScriptedDetectorFactory.Script, focusChanged: @escaping @Sendable (Box?) -> Void,
        whetherOperational: @escaping @Sendable () -> Bool
    ) {
        self.script = script
        self.focusChanged = focusChanged
        self.whetherOperational = whetherOperational
    }

    var isOperational: Bool { whetherOperational() }

    func detect(in frame: Frame) throws(DetectorError) -> [Detection] { try script(frame) }

    func setFocus(_ box: Box?) { focusChanged(box) }
}
