// SPDX-License-Identifier: Apache-2.0
import ModelCatalog

extension ModelInput {
    init?(_ reader: TableReader) {
        let side = ValueFormat<Int>.integer(1...8192)
        let width = reader.required("width", side, example: "416")
        let height = reader.required("height", side, example: "416")
        self.init(width: width ?? 1, height: height ?? 1)
        reader.read("multiple_of", .integer(1...512), into: &multipleOf)
        reader.read("colour", .choice(), into: &colour)
        reader.read("layout", .choice(), into: &layout)
        reader.read("mean", .channels(-1e6...1e6), into: &mean)
        reader.read("scale", .channels(1e-6...1e6), into: &scale)
        resize = Resize(reader, least: max(self.width, self.height))
        if let multipleOf, width.map({ $0 % multipleOf != 0 }) ?? false || height.map({ $0 % multipleOf != 0 }) ?? false
        {
            reader.report("multiple_of", "width and height must be multiples of multiple_of")
        }
        reader.finish()
        if width == nil || height == nil { return nil }
    }
}

extension ModelInput.Resize {
    private enum Name: String, CaseIterable {
        case stretch, letterbox, crop
    }

    /// - Parameter least: the input's longer side.
    fileprivate init(_ reader: TableReader, least: Int) {
        var name = Name.stretch
        var anchor = ModelInput.Anchor.topLeft
        var padding = 0.0
        reader.read("resize", .choice(), into: &name)
        reader.read("anchor", .choice(), into: &anchor)
        reader.read("padding", .number(0...255), into: &padding)
        var shortSide = least
        reader.read("short_side", .integer(least...max(least, 8192)), into: &shortSide)
        if name != .crop, reader.has("short_side") {
            reader.report("short_side", "short_side applies only to resize = \"crop\"")
        }
        switch name {
        case .letterbox: self = .letterbox(anchor, padding: Float(padding))
        case .stretch, .crop:
            self = name == .crop ? .crop(shortSide: shortSide) : .stretch
            for key in ["anchor", "padding"] where reader.has(key) {
                reader.report(key, "\(key) applies only to resize = \"letterbox\"")
            }
        }
    }
}

extension ValueFormat<[Float]> {
    /// A number for each channel, or one for all.
    fileprivate static func channels(_ range: ClosedRange<Double>) -> Self {
        let number = ValueFormat<Double>.number(range)
        let write = { @Sendable (values: [Float]) in TOMLNode.array(values.map { .float(Double($0)) }) }
        return .init("a number or three", write) { node throws(ValueProblem) in
            guard case .array = node else { return Array(repeating: Float(try number.read(node)), count: 3) }
            let values = try ValueFormat<[Double]>.list(number).read(node)
            guard values.count == 3 else { throw .init("must be a number or three, not \(values.count)") }
            return values.map { Float($0) }
        }
    }
}
