// SPDX-License-Identifier: Apache-2.0
import ModelCatalog

extension ModelDecoder {
    /// nil only if an error has been reported. A decoder refuses the keys that it does not need.
    init?(_ reader: TableReader) {
        guard let name: Name = reader.required("type", .choice(), example: "\"yolox\"") else { return nil }
        switch name {
        case .yunet:
            self = .yunet(strides: reader.strides([8, 16, 32]), overlap: reader.overlap(0.3))
        case .yolox:
            self = .yolox(strides: reader.strides([8, 16, 32]), overlap: reader.overlap(0.5))
        case .fastestdet:
            self = .fastestdet(overlap: reader.overlap(0.45))
        case .ssd:
            var (form, background) = (SSDForm.detectionOutput, SSDBackground.first)
            reader.read("form", .choice(), into: &form)
            reader.read("background", .choice(), into: &background)
            self = .ssd(form, background: background, overlap: reader.overlap(0.45))
        case .nanodet:
            var bins = 7
            reader.read("bins", .integer(1...64), into: &bins)
            self = .nanodet(strides: reader.strides([8, 16, 32]), bins: bins, overlap: reader.overlap(0.6))
        case .softmax: self = .softmax
        case .logits: self = .logits
        case .embedding: self = .embedding(layer: reader.value("layer", .nonEmptyText))
        }
        reader.finish()
    }
}

extension TableReader {
    fileprivate func strides(_ standard: [Int]) -> [Int] {
        let list = ValueFormat<[Int]>.list(.integer(1...1024)).checked { strides throws(ValueProblem) in
            guard (1...8).contains(strides.count) else { throw .init("must be 1 to 8 numbers, not \(strides.count)") }
        }
        return value("strides", list) ?? standard
    }

    fileprivate func overlap(_ standard: Float) -> Float {
        value("overlap", .proportion).map { Float($0) } ?? standard
    }
}
