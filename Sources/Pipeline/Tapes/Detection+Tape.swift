// SPDX-License-Identifier: Apache-2.0
import Observations

// All stored properties of a detection are written here: a test counts them.

extension Detection {
    func put(to bytes: inout [UInt8]) {
        box.put(to: &bytes)
        bytes.put(confidence) { $0.put($1) }
        switch content {
        case .face(let face):
            bytes.put(FeatureKind.face)
            face.put(to: &bytes)
        case .barcode(let barcode):
            bytes.put(FeatureKind.barcode)
            barcode.put(to: &bytes)
        case .object(let object):
            bytes.put(FeatureKind.object)
            bytes.put(all: object.labels) { $1.put(to: &$0) }
            bytes.put(object.category) { $0.put($1) }
            bytes.put(object.isProminent)
            bytes.put(object.isIncomplete)
        case .scene(let scene):
            bytes.put(FeatureKind.scene)
            bytes.put(all: scene.labels) { $1.put(to: &$0) }
        case .custom(let feature):
            bytes.put(feature.kind)
            bytes.put(feature.attributes)
            bytes.put(feature.corners) { $1.put(to: &$0) }
        }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        let (box, confidence) = (try Box(from: &reader), try reader.optionalFloat())
        let content: Content
        let kind = try reader.name(FeatureKind.self)
        switch kind {
        case .face: content = .face(try Face(from: &reader))
        case .barcode: content = .barcode(try Barcode(from: &reader))
        case .object: content = .object(try ObjectLabels(from: &reader))
        case .scene: content = .scene(SceneLabels(labels: try reader.labels()))
        case .custom:
            let attributes = Array(try reader.text().utf8)
            let corners = try reader.optional { reader throws(ByteReader.Malformed) in
                try Quadrilateral(from: &reader)
            }
            guard let feature = try? CustomFeature(kind: kind, json: attributes, corners: corners) else {
                throw ByteReader.Malformed()
            }
            content = .custom(feature)
        }
        self.init(box: box, confidence: confidence, content: content)
    }
}

extension ObjectLabels {
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            labels: try reader.labels(),
            category: try reader.optional { reader throws(ByteReader.Malformed) in try reader.name(ObjectCategory.self)
            },
            isProminent: try reader.bool(), isIncomplete: try reader.bool())
    }
}

extension Box {
    func put(to bytes: inout [UInt8]) {
        bytes.put(x)
        bytes.put(y)
        bytes.put(width)
        bytes.put(height)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(x: try reader.float(), y: try reader.float(), width: try reader.float(), height: try reader.float())
    }
}

extension Point {
    func put(to bytes: inout [UInt8]) {
        bytes.put(x)
        bytes.put(y)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(x: try reader.float(), y: try reader.float())
    }
}

extension Face {
    func put(to bytes: inout [UInt8]) {
        bytes.put(all: landmarks) { bytes, landmark in
            bytes.put(landmark.name)
            landmark.position.put(to: &bytes)
            bytes.put(landmark.interpolated)
        }
        bytes.put(euler) { bytes, euler in
            bytes.put(euler.x) { $0.put($1) }
            bytes.put(euler.y) { $0.put($1) }
            bytes.put(euler.z) { $0.put($1) }
        }
        bytes.put(smiling) { $0.put($1) }
        bytes.put(leftEyeOpen) { $0.put($1) }
        bytes.put(rightEyeOpen) { $0.put($1) }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            landmarks: try reader.all { reader throws(ByteReader.Malformed) in
                Landmark(
                    name: try reader.name(), position: try Point(from: &reader), interpolated: try reader.bool())
            },
            euler: try reader.optional { reader throws(ByteReader.Malformed) in
                Euler(x: try reader.optionalFloat(), y: try reader.optionalFloat(), z: try reader.optionalFloat())
            },
            smiling: try reader.optionalFloat(), leftEyeOpen: try reader.optionalFloat(),
            rightEyeOpen: try reader.optionalFloat())
    }
}

extension Quadrilateral {
    func put(to bytes: inout [UInt8]) {
        for point in points { point.put(to: &bytes) }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            topLeft: try Point(from: &reader), topRight: try Point(from: &reader),
            bottomRight: try Point(from: &reader), bottomLeft: try Point(from: &reader))
    }
}

extension Barcode {
    func put(to bytes: inout [UInt8]) {
        bytes.put(format) { $0.put($1) }
        // Most payloads are equal to their text.
        let isText = raw.map { $0.utf8.elementsEqual(self.bytes) } ?? false
        bytes.put(isText)
        if !isText { bytes.put(raw) { $0.put($1) } }
        bytes.put(bytes: self.bytes)
        bytes.put(addOn) { $0.put($1) }
        corners.put(to: &bytes)
        bytes.put(orientation)
        bytes.put(symbologyIdentifier)
        bytes.put(errorCorrectionLevel) { $0.put($1) }
        bytes.put(mirrored)
        bytes.put(inverted)
        bytes.put(isFollowed)
        bytes.put(evidenceFrames) { $0.put(count: $1) }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        let format = try reader.optional { reader throws(ByteReader.Malformed) in try reader.name(Format.self) }
        let isText = try reader.bool()
        var raw = isText ? nil : try reader.optional { reader throws(ByteReader.Malformed) in try reader.text() }
        let bytes = try reader.payload()
        if isText {
            guard let text = String(validating: bytes, as: UTF8.self) else { throw ByteReader.Malformed() }
            raw = text
        }
        let addOn = try reader.optional { reader throws(ByteReader.Malformed) in try reader.text() }
        let corners = try Quadrilateral(from: &reader)
        self.init(
            format: format, raw: raw, bytes: bytes, addOn: addOn, corners: corners, orientation: try reader.float(),
            symbologyIdentifier: try reader.text(),
            errorCorrectionLevel: try reader.optional { reader throws(ByteReader.Malformed) in try reader.text() },
            mirrored: try reader.bool(), inverted: try reader.bool(), isFollowed: try reader.bool(),
            evidenceFrames: try reader.optional { reader throws(ByteReader.Malformed) in try reader.count() })
    }
}

extension Label {
    func put(to bytes: inout [UInt8]) {
        bytes.put(text)
        bytes.put(index)
        bytes.put(confidence)
    }
}

extension ByteReader {
    mutating func optionalFloat() throws(Malformed) -> Float? {
        try optional { reader throws(Malformed) in try reader.float() }
    }

    fileprivate mutating func labels() throws(Malformed) -> [Label] {
        try all { reader throws(Malformed) in
            Label(text: try reader.text(), index: try reader.integer(), confidence: try reader.float())
        }
    }
}
