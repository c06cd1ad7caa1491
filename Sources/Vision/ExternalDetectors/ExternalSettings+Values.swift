// SPDX-License-Identifier: Apache-2.0
import Frames
import Observations
import Settings

extension ExternalSettings {
    var region: NormalizedRegion {
        let roi = common.roi
        return NormalizedRegion(x: roi.x, y: roi.y, width: roi.width, height: roi.height)
    }

    /// The attributes of a feature that `redact` hides.
    private static let hidden = Array(#"{"redacted":true}"#.utf8)

    /// The feature as subscribers may see it; nil if `allow` or `deny` refuse its value.
    func admitted(_ detection: Detection) -> Detection? {
        guard case .custom(let feature) = detection.content else { return detection }
        let value = feature.value ?? ""
        guard allow.isEmpty || allow.contains(where: { $0.isFound(in: value) }),
            !deny.contains(where: { $0.isFound(in: value) })
        else { return nil }
        guard redact.contains(where: { $0.isFound(in: value) }),
            let hidden = try? CustomFeature(kind: feature.kind, json: Self.hidden, corners: feature.corners)
        else { return detection }
        var result = detection
        result.content = .custom(hidden)
        return result
    }
}
