// SPDX-License-Identifier: Apache-2.0
/// The Glimpse library for Swift programs.
///
/// A program combines its own detectors in a `MultiDetector`, or gives each feature in view its own `FeatureTracker`.
/// An `EventEmitter` writes the daemon's event lines.
///
/// The library contains no C code. The daemon's own detectors and sources are in
/// `GlimpseVision`.
@_exported import BarcodeValues
@_exported import Detectors
@_exported import EventLines
@_exported import Frames
@_exported import JSONLines
@_exported import Observations
@_exported import Pipelines
@_exported import Search
@_exported import Tracking
