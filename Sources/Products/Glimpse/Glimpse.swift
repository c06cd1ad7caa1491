/// Glimpse for Swift programs: put a `MultiDetector` together from detectors of your own, give each feature in view a `FeatureTracker` of
/// your own, or write the daemon's event lines with an `EventEmitter`.
///
/// The library has no C in it. The daemon's own detectors and sources are in the worker executable.
@_exported import BarcodeValues
@_exported import Detectors
@_exported import EventLines
@_exported import Frames
@_exported import JSONLines
@_exported import Observations
@_exported import Pipelines
@_exported import Search
@_exported import Tracking
