// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

extension FieldName {
    package static var face: FieldName { FieldName("face") }
    package static var barcode: FieldName { FieldName("barcode") }
    package static var object: FieldName { FieldName("object") }
    package static var scene: FieldName { FieldName("scene") }

    package static var landmarks: FieldName { FieldName("landmarks") }
    package static var interpolated: FieldName { FieldName("interpolated") }
    package static var euler: FieldName { FieldName("euler") }
    package static var smiling: FieldName { FieldName("smiling") }
    package static var leftEyeOpen: FieldName { FieldName("left_eye_open") }
    package static var rightEyeOpen: FieldName { FieldName("right_eye_open") }
    package static var labels: FieldName { FieldName("labels") }
    package static var category: FieldName { FieldName("category") }
    package static var prominent: FieldName { FieldName("prominent") }
    package static var incomplete: FieldName { FieldName("incomplete") }
    package static var text: FieldName { FieldName("text") }
    package static var index: FieldName { FieldName("index") }
    /// The payload of a kind that is not built in.
    package static var value: FieldName { FieldName("value") }

    /// The name of the object that describes a feature of this kind. nil for a kind that is not built in, because its
    /// name is no constant.
    package static func item(of kind: FeatureKind) -> FieldName? {
        switch kind {
        case .face: .face
        case .barcode: .barcode
        case .object: .object
        case .scene: .scene
        case .custom: nil
        }
    }
}

extension JSONWriter {
    /// Writes the name of the object that describes a feature of this kind.
    mutating func key(itemOf kind: FeatureKind) {
        if let name = FieldName.item(of: kind) { key(name) } else { key(dynamic: kind.rawValue) }
    }
}

extension JSONMembers {
    /// The object that describes a feature of this kind.
    func item(of kind: FeatureKind) -> ArraySlice<UInt8>? {
        if let name = FieldName.item(of: kind) { self[name] } else { self[dynamicKey: kind.rawValue] }
    }
}

extension Track {
    /// Writes the object of the track's kind: the last description of the feature apart from its position.
    ///
    /// - Parameter isCut: whether a payload is replaced by its beginning, its size and its hash.
    func encodeItem(to json: inout JSONWriter, barcodes: inout BarcodeEncoder, isCut: Bool) {
        if case .custom(let feature) = detection.content { return json.element(raw: feature.attributes.utf8) }
        json.object { json in
            detection.encodeItem(to: &json, barcodes: &barcodes, isCut: isCut)
            if kind == .barcode, reads > 0 { json.member(.reads, reads) }
        }
    }
}

extension Detection {
    /// Writes a feature of a single image: kind, position, confidence and the object of its kind. A feature of a single
    /// image has no track.
    public func encodeFeature(to json: inout JSONWriter, barcodes: inout BarcodeEncoder, width: Int, height: Int) {
        json.member(.kind, kind.rawValue)
        json.object(.box) { box.encode(to: &$0) }
        let (w, h) = (Float(width), Float(height))
        json.object(.nbox) { json in
            Box(x: box.x / w, y: box.y / h, width: box.width / w, height: box.height / h).encode(to: &json)
        }
        if let confidence = toldConfidence { json.member(.confidence, confidence) }
        content.corners?.encode(to: &json)
        encodeItem(underItsKindTo: &json, barcodes: &barcodes)
    }

    /// The confidence to report. An object's confidence belongs to its class, so an unclassified object reports none.
    var toldConfidence: Float? {
        if case .object(let object) = content, object.labels.isEmpty { return nil }
        return confidence
    }

    /// Writes the object of its kind, with the kind as its name.
    func encodeItem(underItsKindTo json: inout JSONWriter, barcodes: inout BarcodeEncoder) {
        json.key(itemOf: kind)
        if case .custom(let feature) = content { return json.element(raw: feature.attributes.utf8) }
        json.object { encodeItem(to: &$0, barcodes: &barcodes, isCut: false) }
    }

    /// Writes the members of an object of a built-in kind.
    func encodeItem(to json: inout JSONWriter, barcodes: inout BarcodeEncoder, isCut: Bool) {
        switch content {
        case .face(let face): face.encode(to: &json)
        case .barcode(let barcode): barcodes.encode(barcode, to: &json, isCut: isCut)
        case .object(let object): object.encode(to: &json)
        case .scene(let scene): scene.labels.encode(to: &json)
        case .custom: break
        }
    }
}

extension Point {
    func encode(to json: inout JSONWriter) {
        json.member(.x, x)
        json.member(.y, y)
    }
}

extension Box {
    func encode(to json: inout JSONWriter) {
        json.member(.x, x)
        json.member(.y, y)
        json.member(.w, width)
        json.member(.h, height)
    }
}

extension Quadrilateral {
    /// Writes the points as `corners`. Writes nothing if a coordinate is not finite.
    func encode(to json: inout JSONWriter) {
        guard topLeft.isFinite, topRight.isFinite, bottomRight.isFinite, bottomLeft.isFinite else { return }
        json.array(.corners) { json in
            json.object { topLeft.encode(to: &$0) }
            json.object { topRight.encode(to: &$0) }
            json.object { bottomRight.encode(to: &$0) }
            json.object { bottomLeft.encode(to: &$0) }
        }
    }
}

extension Face {
    fileprivate func encode(to json: inout JSONWriter) {
        if !landmarks.isEmpty {
            json.object(.landmarks) { json in
                for landmark in landmarks where landmark.position.isFinite {
                    json.object(dynamicKey: landmark.name.rawValue) { json in
                        landmark.position.encode(to: &json)
                        if landmark.interpolated { json.member(.interpolated, true) }
                    }
                }
            }
        }
        if let euler {
            json.object(.euler) { json in
                if let x = euler.x { json.member(.x, x) }
                if let y = euler.y { json.member(.y, y) }
                if let z = euler.z { json.member(.z, z) }
            }
        }
        if let smiling { json.member(.smiling, smiling) }
        if let leftEyeOpen { json.member(.leftEyeOpen, leftEyeOpen) }
        if let rightEyeOpen { json.member(.rightEyeOpen, rightEyeOpen) }
    }
}

extension ObjectLabels {
    fileprivate func encode(to json: inout JSONWriter) {
        labels.encode(to: &json)
        if let category { json.member(.category, category.rawValue) }
        if isProminent { json.member(.prominent, true) }
        if isIncomplete { json.member(.incomplete, true) }
    }
}

extension [Label] {
    fileprivate func encode(to json: inout JSONWriter) {
        json.array(.labels) { json in
            for label in self {
                json.object { json in
                    json.member(.text, label.text)
                    json.member(.index, label.index)
                    json.member(.confidence, label.confidence)
                }
            }
        }
    }
}
