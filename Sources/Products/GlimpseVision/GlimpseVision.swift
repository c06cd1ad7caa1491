// SPDX-License-Identifier: Apache-2.0
/// Glimpse with the stock detectors and the sources of `glimpsed`.
///
/// A program runs a `MultiDetector` with detectors such as `.face(minSize: 0.15)` on a `VideoSource`. Each feature in
/// view gets a `FeatureTracker` object of the program's own. The library links GStreamer, OpenVINO and ZXing.
@_exported import Glimpse
