// SPDX-License-Identifier: Apache-2.0
import Observations

/// Advice, progress or a problem: a code for programs, a short text for people.
public enum SearchHint: String, Sendable, CaseIterable {
    case wait
    case pointCamera = "point_camera"
    case holdStill = "hold_still"
    case moveCloser = "move_closer"
    case tooDark = "too_dark"
    case tooBright = "too_bright"
    case blurred
    case severalObjects = "several_objects"
    case lowConfidence = "low_confidence"
    case noResults = "no_results"
    case network
    case alreadySearched = "already_searched"
    case ready
    case searching
    case found
    case failed
    case help

    /// `pointCamera`, `holdStill` and `moveCloser` have the phone's own prompts.
    public var text: String {
        switch self {
        case .wait: "Wait for the camera"
        case .pointCamera: "Point your camera at an object"
        case .holdStill: "Keep camera still for a moment"
        case .moveCloser: "Move closer to search"
        case .tooDark: "It is too dark here"
        case .tooBright: "It is too bright here"
        case .blurred: "The picture is blurred"
        case .severalObjects: "Show one object at a time"
        case .lowConfidence: "Not sure what this is"
        case .noResults: "Nothing like this was found"
        case .network: "The search cannot be reached"
        case .alreadySearched: "Searched already: show something else"
        case .ready: "Ready: start the search"
        case .searching: "Searching"
        case .found: "This is what was found"
        case .failed: "The search did not work"
        case .help: "Hold one thing close to the camera"
        }
    }
}

extension SearchState {
    /// The state's hint where nothing more is known.
    public var hint: SearchHint {
        switch self {
        case .notStarted: .wait
        case .detecting, .detected: .pointCamera
        case .tooSmall: .moveCloser
        case .confirming: .holdStill
        case .confirmed: .ready
        case .searching: .searching
        case .searched: .found
        case .searchFailed: .failed
        case .timedOut: .help
        }
    }
}

/// From where on a picture is too poor to search with. A hint that is shown stays until its value is better by
/// `margin`.
public enum QualityLimits {
    /// Mean luma, 0...1. Half of the scene is then below a tenth of white's light.
    public static let darkest: Float = 0.15
    public static let brightest: Float = 0.88
    /// A region without any contrast says nothing of focus: below, sharpness is not judged.
    public static let flattest: Float = 0.03
    public static let blurriest: Float = 0.03
    public static let margin: Float = 1.15
}

extension PictureQuality {
    /// The problem of the picture; nil without a problem.
    ///
    /// - Parameters:
    ///   - current: the hint that is shown now.
    ///   - judgesFocus: whether the region is an object's, and not a whole picture whose background may be out of
    ///     focus.
    func hint(current: SearchHint?, judgesFocus: Bool) -> SearchHint? {
        func limit(_ value: Float, _ hint: SearchHint) -> Float {
            current == hint ? value * QualityLimits.margin : value
        }
        if brightness < limit(QualityLimits.darkest, .tooDark) { return .tooDark }
        if 1 - brightness < limit(1 - QualityLimits.brightest, .tooBright) { return .tooBright }
        guard judgesFocus, contrast >= QualityLimits.flattest else { return nil }
        return sharpness < limit(QualityLimits.blurriest, .blurred) ? .blurred : nil
    }
}
