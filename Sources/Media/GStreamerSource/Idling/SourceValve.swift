// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames

/// Decides in front of the decoder what a source at rest decodes, and numbers the frames behind it.
protocol SourceValve: SourceIdling {
    /// Takes a frame at the sink, and may give it another time stamp.
    ///
    /// - Parameter count: the frames at the sink so far, this one included.
    /// - Returns: the frame's number and its role.
    func leave(_ info: UnsafeMutablePointer<GstPadProbeInfo>, count: UInt64) -> (number: UInt64, role: FrameRole)
}
