/// Glimpse with its stock detectors and its sources: a `VideoSource`, detectors such as `.face(minSize: 0.15)`, a `MultiDetector`, and a
/// `FeatureTracker` of your own for each feature in view.
///
/// The library links GStreamer, OpenVINO and ZXing. `Glimpse` alone has no C in it.
@_exported import Glimpse
