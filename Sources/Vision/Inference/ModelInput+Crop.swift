// SPDX-License-Identifier: Apache-2.0
import Frames
import ModelCatalog

extension ModelInput {
    /// The part of a view that the network takes: all of it, or the middle of one that is cropped, to even pixels.
    func part(of view: FrameView) -> FrameView {
        guard case .crop(let shortSide) = resize, !view.isEmpty else { return view }
        let scale = Double(min(view.width, view.height)) / Double(shortSide)
        let cropWidth = Self.even(Double(width) * scale)
        let cropHeight = Self.even(Double(height) * scale)
        return view.part(
            x: (view.width - cropWidth) / 2, y: (view.height - cropHeight) / 2, width: cropWidth, height: cropHeight)
    }

    /// The nearest even number, at least 2.
    private static func even(_ value: Double) -> Int { max(2, Int((value / 2).rounded()) * 2) }
}
