// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing

@testable import Tracking

/// The labels of one picture share a place, and each label has its own track.
@Suite struct SceneLabelTests {
    private func label(_ index: Int, _ confidence: Float = 0.3) -> Detection {
        let label = Label(text: "class \(index)", index: index, confidence: confidence)
        return Detection(
            box: Box(x: 0, y: 0, width: 640, height: 480), confidence: confidence,
            content: .scene(SceneLabels(labels: [label])))
    }

    /// Phase, id and class of each change, two frames a second.
    private func lives(_ frames: [[Int]]) -> [[String]] {
        var configuration = TrackerConfiguration.scene
        (configuration.birth, configuration.high) = (0.1, 0.1)
        var tracker = Tracker(configuration)
        return frames.enumerated().map { number, classes in
            tracker.process(classes.map { label($0) }, frame: .at(Double(number) / 2, number: number)).map { change in
                let phase =
                    switch change.phase {
                    case .detected: "D"
                    case .update: "U"
                    case .missing: "M"
                    case .completed(let reason): "C(\(reason.rawValue))"
                    }
                guard case .scene(let scene) = change.track.detection.content else { return phase }
                return "\(phase)\(change.track.id) \(scene.labels.first?.index ?? -1)"
            }
        }
    }

    @Test func sceneLabelsComeAndGoIndependently() {
        #expect(
            lives([[7, 9], [9, 7], [9], [9], [9, 3], [3]]) == [
                ["D1 7", "U1 7", "D2 9", "U2 9"],
                ["U1 7", "U2 9"],
                ["M1 7", "U2 9"],
                ["M1 7", "U2 9"],
                ["C(gone)1 7", "D3 3", "U3 3", "U2 9"],
                ["M2 9", "U3 3"],
            ])
    }

    /// A label that returns within the memory's time names its previous track.
    @Test func aSceneLabelThatReturnsNamesItsPreviousTrack() {
        let shown = lives([[7], [7], [], [], [], [7]])
        #expect(shown.last == ["D2 7", "U2 7"])
    }
}
