// SPDX-License-Identifier: Apache-2.0
/// The required form of a string.
package enum TextForm: Sendable, Equatable {
    case any, nonEmpty
    /// One or more characters of a-z, 0-9 and _.
    case name
    /// A kind of feature: a letter of a-z, then up to 31 of a-z, 0-9 and _.
    case kind
    /// RFC 3339, UTC, nanoseconds.
    case time
    case base64, base32, sha256
    case digits(ClosedRange<Int>)
    case capitals(Int)
    /// An exact number of any length.
    case decimal
    /// `moment` is a year and month, optionally with day, hour, minutes and seconds. `day` is a date.
    case moment, day

    /// The form as a JSON Schema pattern (ECMA-262); nil for any string.
    var pattern: String? {
        switch self {
        case .any, .nonEmpty: nil
        case .name: "^[a-z0-9_]+$"
        case .kind: "^[a-z][a-z0-9_]{0,31}$"
        case .time: #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{9}Z$"#
        case .base64: "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
        case .base32: "^[A-Z2-7]+$"
        case .sha256: "^[0-9a-f]{64}$"
        case .digits(let count) where count.count == 1: "^[0-9]{\(count.lowerBound)}$"
        case .digits(let count): "^[0-9]{\(count.lowerBound),\(count.upperBound)}$"
        case .capitals(let count): "^[A-Z]{\(count)}$"
        case .decimal: "^[0-9]+([.][0-9]+)?$"
        case .moment: "^[0-9]{4}-[0-9]{2}(-[0-9]{2}(T[0-9]{2}(:[0-9]{2}){0,2})?)?$"
        case .day: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
        }
    }

    /// Checks the form of `pattern` without running a regular expression for each string. A test compares the two.
    func fits(_ text: String) -> Bool {
        let bytes = text.utf8
        switch self {
        case .any: return true
        case .nonEmpty: return !bytes.isEmpty
        case .name: return !bytes.isEmpty && bytes.allSatisfy { $0.isLower || $0.isDigit || $0 == UInt8(ascii: "_") }
        case .kind: return bytes.count <= 32 && bytes.first?.isLower == true && TextForm.name.fits(text)
        case .time: return Self.follows(bytes, "0000-00-00T00:00:00.000000000Z")
        case .base64:
            let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
            return bytes.count % 4 == 0 && padding <= 2
                && bytes.dropLast(padding).allSatisfy {
                    $0.isLower || $0.isDigit || $0.isCapital || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
                }
        case .base32: return !bytes.isEmpty && bytes.allSatisfy { $0.isCapital || (0x32...0x37).contains($0) }
        case .sha256: return bytes.count == 64 && bytes.allSatisfy { $0.isDigit || (0x61...0x66).contains($0) }
        case .digits(let count): return count.contains(bytes.count) && bytes.allSatisfy(\.isDigit)
        case .capitals(let count): return bytes.count == count && bytes.allSatisfy(\.isCapital)
        case .decimal:
            let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDigit) }
        case .moment:
            let whole = "0000-00-00T00:00:00"
            return [7, 10, 13, 16, 19].contains(bytes.count) && Self.follows(bytes, String(whole.prefix(bytes.count)))
        case .day: return Self.follows(bytes, "0000-00-00")
        }
    }

    /// Whether the text has a digit for each 0 of the example, and the example's character elsewhere.
    private static func follows(_ bytes: String.UTF8View, _ example: String) -> Bool {
        bytes.count == example.utf8.count
            && zip(bytes, example.utf8).allSatisfy { $1 == UInt8(ascii: "0") ? $0.isDigit : $0 == $1 }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isLower: Bool { (0x61...0x7A).contains(self) }
    fileprivate var isCapital: Bool { (0x41...0x5A).contains(self) }
}
