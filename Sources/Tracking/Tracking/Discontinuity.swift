// SPDX-License-Identifier: Apache-2.0
import Observations

extension FrameInfo {
    /// Whether nothing before this frame says anything about it: time ran backwards or jumped, or the picture has
    /// another shape.
    func isDiscontinuous(from last: FrameInfo, longestStep: Double?) -> Bool {
        let step = seconds - last.seconds
        return step < 0 || step > (longestStep ?? .infinity) || width != last.width || height != last.height
            || epoch != last.epoch
    }
}
