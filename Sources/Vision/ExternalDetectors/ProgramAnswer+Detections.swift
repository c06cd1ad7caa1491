// SPDX-License-Identifier: Apache-2.0
import Observations

extension ProgramAnswer {
    /// The detections in pixels of the frame, clipped to it.
    ///
    /// - Parameters:
    ///   - picture: the size of the picture that the program saw.
    ///   - frame: the size of the upright frame.
    func detections(
        _ kind: FeatureKind, picture: (width: Int, height: Int), frame: (width: Int, height: Int)
    ) throws(Problem) -> [Detection] {
        guard detections.count <= Self.mostDetections else {
            throw Problem(description: "has \(detections.count) detections; at most \(Self.mostDetections) are valid")
        }
        let (x, y) = (Float(frame.width) / Float(picture.width), Float(frame.height) / Float(picture.height))
        var result: [Detection] = []
        for item in detections {
            guard item.box.count == 4, item.box[2] > 0, item.box[3] > 0 else {
                throw Problem(description: "has a box that is not [x, y, width, height]: \(item.box)")
            }
            let box = Box(x: item.box[0] * x, y: item.box[1] * y, width: item.box[2] * x, height: item.box[3] * y)
            guard let clipped = box.clipped(width: Float(frame.width), height: Float(frame.height)) else {
                throw Problem(description: "has a box outside of the picture: \(item.box)")
            }
            if let confidence = item.confidence, !(0...1).contains(confidence) {
                throw Problem(description: "has a confidence outside of 0...1: \(confidence)")
            }
            let corners = try item.corners.map { (points) throws(Problem) in try Self.corners(points, x, y) }
            do throws(CustomFeature.Problem) {
                let feature = try CustomFeature(
                    kind: kind, json: Array((item.attributes ?? "{}").utf8), corners: corners)
                result.append(Detection(box: clipped, confidence: item.confidence, content: .custom(feature)))
            } catch {
                throw Problem(description: "has wrong attributes: \(error)")
            }
        }
        return result
    }

    private static func corners(_ points: [[Float]], _ x: Float, _ y: Float) throws(Problem) -> Quadrilateral {
        guard points.count == 4, points.allSatisfy({ $0.count == 2 }) else {
            throw Problem(description: "has corners that are not four points: \(points)")
        }
        let scaled = points.map { Point(x: $0[0] * x, y: $0[1] * y) }
        // A finite number may not be finite after scaling.
        guard scaled.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else {
            throw Problem(description: "has corners that are too far away: \(points)")
        }
        return Quadrilateral(
            topLeft: scaled[0], topRight: scaled[1], bottomRight: scaled[2], bottomLeft: scaled[3])
    }
}
