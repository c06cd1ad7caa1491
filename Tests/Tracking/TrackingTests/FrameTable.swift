// SPDX-License-Identifier: Apache-2.0
import Observations
import Tracking

/// A scripted scene and its tracks, drawn as text: a row for each feature or track, a column for each frame.
///
/// Seen: `x` a sure detection (0.8), `X` one that is believed at once (0.95), `w` one of a low score (0.3), `.` none.
/// Rows stand at places far apart. Lives: `D` detected and its update, `U` update, `w` weak update, `M` missing, `C`
/// completed, `.` nothing.
struct FrameTable {
    var framesPerSecond = 10.0
    /// Pixels that every feature moves to the right in each frame.
    var motion: Float = 0

    static let frameSize = (width: 4000, height: 1000)

    func lives(_ seen: [String], _ configuration: TrackerConfiguration, finish: CompletionReason? = nil) -> [String] {
        var tracker = Tracker(configuration)
        var columns: [[TrackChange]] = []
        let rows = seen.map(Array.init)
        for column in 0..<(rows.map(\.count).max() ?? 0) {
            let detections = rows.indices.compactMap { row in
                column < rows[row].count ? detection(rows[row][column], row: row, column: column) : nil
            }
            columns.append(tracker.process(detections, frame: .at(Double(column) / framesPerSecond, number: column)))
        }
        if let finish { columns.append(tracker.completeAll(finish)) }
        return draw(columns)
    }

    private func detection(_ symbol: Character, row: Int, column: Int) -> Detection? {
        let scores: [Character: Float] = ["x": 0.8, "X": 0.95, "w": 0.3]
        return scores[symbol].map {
            .object(x: 100 + Float(row) * 400 + Float(column) * motion, y: 100, size: 100, confidence: $0)
        }
    }

    private func draw(_ columns: [[TrackChange]]) -> [String] {
        var rows: [TrackID: [Character]] = [:]
        for (column, changes) in columns.enumerated() {
            for change in changes {
                var row = rows[change.track.id] ?? []
                row += Array(repeating: ".", count: max(0, column - row.count))
                let symbol: Character =
                    switch change.phase {
                    case .detected: "D"
                    case .update: change.track.isWeak ? "w" : "U"
                    case .missing: "M"
                    case .completed: "C"
                    }
                // The update that follows `detected` at once is part of it.
                if row.count == column {
                    row.append(symbol)
                } else if row.last != "D" || symbol != "U" {
                    row.append("!")
                }
                rows[change.track.id] = row
            }
        }
        return rows.sorted { $0.key < $1.key }.map { String($0.value) }
    }
}

extension FrameInfo {
    static func at(_ seconds: Double, number: Int = 0, width: Int = 4000, height: Int = 1000) -> FrameInfo {
        let nanoseconds = Int64((seconds * 1e9).rounded())
        return FrameInfo(
            sequence: UInt64(max(0, number)) + 1, presentationTime: nanoseconds,
            time: Timestamp(nanoseconds: nanoseconds),
            clock: .file, width: width, height: height)
    }
}

extension Detection {
    static func object(
        x: Float, y: Float, size: Float = 100, confidence: Float? = 0.8, label: Int = 0, text: String = "thing"
    ) -> Detection {
        Detection(
            box: Box(x: x, y: y, width: size, height: size), confidence: confidence,
            content: .object(ObjectLabels(labels: [Label(text: text, index: label, confidence: confidence ?? 1)])))
    }

    static func face(x: Float, y: Float, size: Float = 100, confidence: Float = 0.8) -> Detection {
        Detection(
            box: Box(x: x, y: y, width: size, height: size), confidence: confidence, content: .face(Face()))
    }

    /// - Parameter eyes: their distances from the left edge; nose and mouth lie in the middle.
    static func face(x: Float, y: Float, size: Float = 100, eyes: (Float, Float)) -> Detection {
        let points: [(Face.Landmark.Name, Float, Float)] = [
            (.leftEye, eyes.1, 40), (.rightEye, eyes.0, 40), (.noseBase, 50, 60), (.mouthLeft, 60, 80),
        ]
        let landmarks = points.map { Face.Landmark(name: $0.0, position: Point(x: x + $0.1, y: y + $0.2)) }
        return Detection(
            box: Box(x: x, y: y, width: size, height: size), confidence: 0.8,
            content: .face(Face(landmarks: landmarks)))
    }

    /// - Parameter text: nil for a symbol that was only located.
    static func barcode(_ text: String?, x: Float, y: Float, size: Float = 60) -> Detection {
        let box = Box(x: x, y: y, width: size, height: size)
        let corners = Quadrilateral(
            topLeft: Point(x: x, y: y), topRight: Point(x: box.maxX, y: y),
            bottomRight: Point(x: box.maxX, y: box.maxY),
            bottomLeft: Point(x: x, y: box.maxY))
        return Detection(
            box: box, confidence: text == nil ? 0.5 : nil,
            content: .barcode(Barcode(format: .qrCode, raw: text, bytes: Array((text ?? "").utf8), corners: corners)))
    }

    var text: String? {
        if case .barcode(let barcode) = content { barcode.raw } else { nil }
    }
}

extension TrackerConfiguration {
    /// The preset with Mobile Vision's gap rule.
    func frames(_ limit: Int) -> TrackerConfiguration {
        var configuration = self
        configuration.gap = .frames(limit: limit)
        return configuration
    }

    func hits(_ hits: Int) -> TrackerConfiguration {
        var configuration = self
        configuration.hits = hits
        return configuration
    }
}
