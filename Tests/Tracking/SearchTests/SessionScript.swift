// SPDX-License-Identifier: Apache-2.0
import Observations

@testable import Search

/// Drives a session frame by frame and records its reports.
struct SessionScript {
    static let (width, height): (Float, Float) = (1280, 720)

    private(set) var session: SearchSession
    private(set) var statuses: [SearchStatus] = []
    private(set) var actions: [SearchAction] = []
    let interval: Int64
    private(set) var number: UInt64 = 0

    init(rate: Double = 10, _ change: (inout SearchConfiguration) -> Void = { _ in }) {
        var configuration = SearchConfiguration()
        change(&configuration)
        session = SearchSession(configuration, pipeline: "shelf", detector: configuration.kind.rawValue)
        interval = Int64(1e9 / rate)
    }

    /// A manual session with its object confirmed.
    static func confirmed(_ change: (inout SearchConfiguration) -> Void = { _ in }) -> SessionScript {
        var script = SessionScript { configuration in
            configuration.isAutomatic = false
            configuration.confirmation = 500_000_000
            change(&configuration)
        }
        script.frames(6, .object(1))
        return script
    }

    /// A session whose first search has begun.
    static func searching(_ change: (inout SearchConfiguration) -> Void = { _ in }) -> SessionScript {
        var script = SessionScript(change)
        script.frames(16, .object(1))
        return script
    }

    /// The reported states, without repetitions for progress and hints.
    var stateChanges: [SearchState] {
        statuses.map(\.state).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    var begun: [SearchQuery] {
        actions.compactMap { if case .begin(let query) = $0 { query } else { nil } }
    }

    var refusals: [String] {
        actions.compactMap { if case .refuse(let reason) = $0 { reason } else { nil } }
    }

    var state: SearchState { session.state }
    var last: SearchStatus? { statuses.last }

    mutating func note(_ new: [SearchAction]) {
        actions += new
        statuses += new.compactMap { if case .tell(let status) = $0 { status } else { nil } }
    }

    static func info(_ number: UInt64, interval: Int64) -> FrameInfo {
        let time = Int64(number - 1) * interval
        return FrameInfo(
            sequence: number, presentationTime: time, time: Timestamp(nanoseconds: time), clock: .file,
            width: Int(width), height: Int(height))
    }

    /// Frames with these objects in view.
    mutating func frames(_ count: Int = 1, _ objects: Track...) {
        for _ in 0..<count { show(objects) }
    }

    mutating func show(_ objects: [Track]) {
        number += 1
        let frame = Self.info(number, interval: interval)
        let seen = objects.map { track in
            var track = track
            if track.missingFrames == 0 { track.lastSeen = frame.time }
            return track
        }
        note(session.receive(seen.sorted { $0.id < $1.id }, frame: frame))
    }

    /// Frames that the detector fails on.
    mutating func failures(_ count: Int) {
        for _ in 0..<count {
            number += 1
            note(session.pass(Self.info(number, interval: interval)))
        }
    }

    mutating func withSession<Result>(_ body: (inout SearchSession) -> Result) -> Result { body(&session) }

    mutating func command(_ command: SearchCommand) { note(session.take(.command(command))) }
    mutating func report(_ report: SearchReport) { note(session.take(.report(report))) }
    mutating func end() { note(session.end()) }

    mutating func answer(_ results: SearchResult..., to query: String? = nil) {
        report(.answered(query: query ?? begun.last?.id ?? "", .results(results)))
    }

    mutating func fail(_ failure: SearchFailure) {
        report(.answered(query: begun.last?.id ?? "", .failed(failure)))
    }

    mutating func measure(_ brightness: Float, sharpness: Float = 0.2) {
        note(session.take(.quality(PictureQuality(brightness: brightness, contrast: 0.2, sharpness: sharpness))))
    }
}

extension Track {
    /// An object in view: its centre and size in proportions of the picture.
    static func object(
        _ id: UInt64, at x: Float = 0.5, _ y: Float = 0.5, size: Float = 0.3, label: String? = nil,
        category: ObjectCategory? = nil, previous: UInt64? = nil
    ) -> Track {
        let labels = label.map { [Label(text: $0, index: 0, confidence: 0.9)] } ?? []
        return track(id, x, y, size, .object(ObjectLabels(labels: labels, category: category)), previous)
    }

    static func barcode(_ id: UInt64, at x: Float = 0.5, _ y: Float = 0.5, size: Float = 0.3, text: String = "4006")
        -> Track
    {
        let corner = Point(x: 0, y: 0)
        let barcode = Barcode(
            format: .ean13, raw: text, bytes: Array(text.utf8),
            corners: Quadrilateral(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner))
        return track(id, x, y, size, .barcode(barcode), nil)
    }

    private static func track(
        _ id: UInt64, _ x: Float, _ y: Float, _ size: Float, _ content: Detection.Content, _ previous: UInt64?
    ) -> Track {
        let (width, height) = (SessionScript.width, SessionScript.height)
        let side = size * width
        let box = Box(x: x * width - side / 2, y: y * height - side / 2, width: side, height: side)
        let detection = Detection(box: box, confidence: 0.9, content: content)
        return Track(
            id: TrackID(id), kind: detection.kind, ageFrames: 1, hits: 1, missingFrames: 0, firstSeen: .epoch,
            lastSeen: .epoch, box: box, isPredicted: false, velocity: nil, detection: detection,
            previous: previous.map { PreviousTrack(id: TrackID($0), score: 0.9) })
    }

    var missing: Track {
        var track = self
        (track.missingFrames, track.isPredicted) = (1, true)
        return track
    }
}

extension SearchResult {
    static func result(_ id: String, _ confidence: Float) -> SearchResult {
        SearchResult(id: id, title: id.uppercased(), confidence: confidence)
    }
}
