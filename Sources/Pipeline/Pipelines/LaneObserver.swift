// SPDX-License-Identifier: Apache-2.0
import EventLines
import Frames
import Tracking

/// Observes a lane's frames together with their track changes; no other place behind the detector has access to pixels.
/// The observer returns only values, which become inputs of the lane. All calls come on the lane's thread.
package protocol LaneObserver: AnyObject, Sendable {
    /// Called with a frame and the track changes from the detector's results. The observer must not keep the frame.
    func observe(_ frame: Frame, _ changes: [TrackChange])

    /// The pictures completed since the last call.
    ///
    /// - Parameter waits: whether to wait for all requested pictures, so that every run gives equal lines.
    func takePictures(waits: Bool) -> [SnapshotEvent]

    /// Called before every track ends. Waits for pictures in progress for a bounded time.
    ///
    /// - Parameter waits: as for `takePictures`; the bound is then longer than any encoding.
    func end(waits: Bool)
}
