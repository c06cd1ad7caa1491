// SPDX-License-Identifier: Apache-2.0
import Observations

extension FrameView {
    /// Copies the view into a frame with memory of its own. The copy holds no buffer of the media pipeline.
    /// Planes are tight. The frame's numbers stay; width and height are the view's. nil for an empty view.
    package func copy() -> Frame? { isEmpty ? nil : FrameCopy(self).frame }
}
