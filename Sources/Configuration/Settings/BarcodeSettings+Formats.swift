// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import Observations

extension ValueFormat<Set<Barcode.Format>> {
    /// Names of formats, or `all`.
    static var barcodeFormats: Self {
        let name = ValueFormat<String>.text.checked { name throws(ValueProblem) in
            let names = ["all"] + Barcode.Format.allCases.map(\.rawValue)
            guard names.contains(name) else {
                throw .init(
                    "must be a barcode format, not \(quoted(name))",
                    suggestion: didYouMean(name, among: names) ?? "one of " + names.joined(separator: ", "))
            }
        }
        let back = { @Sendable (formats: Set<Barcode.Format>) in
            formats.count == Barcode.Format.allCases.count ? ["all"] : formats.map(\.rawValue).sorted()
        }
        return ValueFormat<[String]>.list(name).map("list of formats", back: back) { names throws(ValueProblem) in
            guard !names.isEmpty else { throw .init("must not be empty", suggestion: "[\"all\"] is every format") }
            if names.contains("all") { return Set(Barcode.Format.allCases) }
            return Set(names.compactMap(Barcode.Format.init))
        }
    }
}

extension ValueFormat<BarcodeSettings.ConfirmReads> {
    /// `"auto"` or a number.
    static var confirmReads: Self {
        let write = { @Sendable (reads: BarcodeSettings.ConfirmReads) -> TOMLNode? in
            if case .count(let count) = reads { .integer(count) } else { .string("auto") }
        }
        return .init("\"auto\", or 1 to 100", write) { node throws(ValueProblem) in
            switch node {
            case .string("auto"): return .auto
            case .integer(let count) where (1...100).contains(count): return .count(count)
            case .integer(let count): throw .init("must be \"auto\" or 1 to 100, not \(count)")
            case .string(let text): throw .init("must be \"auto\" or 1 to 100, not \(quoted(text))")
            default: throw .wrongType("\"auto\" or an integer", node)
            }
        }
    }
}

extension ValueFormat<BarcodeRedaction> {
    /// `wifi` or `wifi.password`: names of the events' value formats and of their objects' members.
    static var barcodeRedaction: Self {
        let back = { @Sendable (redaction: BarcodeRedaction) in
            [redaction.format.rawValue, redaction.field].compactMap(\.self).joined(separator: ".")
        }
        return ValueFormat<String>.text.map("value format or field", back: back) { text throws(ValueProblem) in
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let names = BarcodeValueFormat.allCases.map(\.rawValue)
            guard let format = BarcodeValueFormat(rawValue: parts[0]) else {
                throw .init(
                    "must begin with a value format, not \(quoted(parts[0]))",
                    suggestion: didYouMean(parts[0], among: names) ?? "one of " + names.joined(separator: ", "))
            }
            guard parts.count > 1 else { return BarcodeRedaction(format) }
            guard let redaction = BarcodeRedaction(format, field: parts[1]) else {
                throw .init(
                    "must name a field of \(parts[0]), not \(quoted(parts[1]))",
                    suggestion: (format == .gs1 ? nil : didYouMean(parts[1], among: format.fieldNames)) ?? known(format)
                )
            }
            return redaction
        }
    }

    private static func known(_ format: BarcodeValueFormat) -> String {
        switch format {
        case .isbn, .product, .text: "\"\(format.rawValue)\" alone: it has no fields"
        case .gs1: "elements, or an application identifier such as 21"
        default: "one of " + format.fieldNames.joined(separator: ", ")
        }
    }
}
