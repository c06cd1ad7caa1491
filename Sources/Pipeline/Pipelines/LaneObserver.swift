import EventLines
import Frames
import Tracking

/// Looks at a lane's frames together with what was tracked in them, while they are there: the one place behind the detector that has pixels. Values
/// alone come back, as inputs of the lane. All calls come on the lane's thread.
package protocol LaneObserver: AnyObject, Sendable {
    /// A frame, and what the detector's results in it changed. Keeps no frame.
    func observe(_ frame: Frame, _ changes: [TrackChange])

    /// Pictures that are whole since the last call.
    ///
    /// - Parameter waits: whether all that were asked for are waited for, because every run is to give the same lines.
    func takePictures(waits: Bool) -> [SnapshotEvent]

    /// Every track is about to end. Waits, in bounded time, for what is under way.
    ///
    /// - Parameter waits: as for `takePictures`: the bound is longer than an encoder may take.
    func end(waits: Bool)
}
