import Observations

/// Appends JSON to a byte buffer: no reflection, no intermediate tree, the order that the caller writes in.
///
/// Numbers are printed shortest-exact (Swift's `description`); a number that is not finite is a programming error upstream and is
/// left out together with its key, because JSON has none and a line must stay valid whatever happens.
public struct JSONWriter: Sendable {
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    public init(reservingCapacity capacity: Int = 1024) {
        bytes.reserveCapacity(capacity)
    }

    /// Forgets what was written and keeps the memory.
    public mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    // MARK: Structure

    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        nested(open: "{", close: "}", body)
    }

    public mutating func object(_ key: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        object(body)
    }

    public mutating func array(_ key: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        nested(open: "[", close: "]", body)
    }

    public mutating func array(dynamicKey key: String, _ body: (inout JSONWriter) -> Void) {
        self.key(dynamic: key)
        nested(open: "[", close: "]", body)
    }

    private mutating func nested(open: Unicode.Scalar, close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: open))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }

    // MARK: Members

    public mutating func member(_ key: StaticString, _ value: String) {
        self.key(key)
        element(value)
    }

    public mutating func member(_ key: StaticString, _ value: some FixedWidthInteger) {
        self.key(key)
        element(value)
    }

    public mutating func member(_ key: StaticString, _ value: Float) {
        guard value.isFinite else { return }
        self.key(key)
        element(value)
    }

    public mutating func member(_ key: StaticString, _ value: Bool) {
        self.key(key)
        element(value)
    }

    /// A member whose key is not known at compile time, such as a tag.
    public mutating func member(dynamicKey key: String, _ value: String) {
        self.key(dynamic: key)
        element(value)
    }

    public mutating func member(dynamicKey key: String, _ value: some FixedWidthInteger) {
        self.key(dynamic: key)
        element(value)
    }

    public mutating func member(dynamicKey key: String, _ value: Double) {
        guard value.isFinite else { return }
        self.key(dynamic: key)
        element(value)
    }

    public mutating func member(dynamicKey key: String, _ value: Bool) {
        self.key(dynamic: key)
        element(value)
    }

    public mutating func object(dynamicKey key: String, _ body: (inout JSONWriter) -> Void) {
        self.key(dynamic: key)
        object(body)
    }

    /// Members that are valid JSON already, without braces; at least one.
    public mutating func members(raw json: [UInt8]) {
        element(raw: json)
    }

    /// A time as RFC 3339 (see `Timestamp.rfc3339`).
    public mutating func member(_ key: StaticString, _ value: Timestamp) {
        self.key(key)
        bytes.append(addingCapacity: Timestamp.rfc3339Bytes + 2) { span in
            span.append(UInt8(ascii: "\""))
            value.appendRFC3339(to: &span)
            span.append(UInt8(ascii: "\""))
        }
        needsComma = true
    }

    // MARK: Elements

    public mutating func element(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        escape(value)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    public mutating func element(_ value: some FixedWidthInteger) {
        separate()
        appendDigits(UInt64(value.magnitude), isNegative: value < 0)
        needsComma = true
    }

    /// A whole number below 2^24 is printed without a fraction.
    public mutating func element(_ value: Float) {
        guard value.isFinite else { return }
        if value == value.rounded(), abs(value) < 16_777_216 {
            element(Int64(value))
            return
        }
        append(number: value.description)
    }

    /// A whole number below 2^53 is printed without a fraction.
    public mutating func element(_ value: Double) {
        guard value.isFinite else { return }
        if value == value.rounded(), abs(value) < 9_007_199_254_740_992 {
            element(Int64(value))
            return
        }
        append(number: value.description)
    }

    private mutating func append(number text: String) {
        separate()
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
        needsComma = true
    }

    public mutating func element(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
        needsComma = true
    }

    /// Bytes that are valid JSON already, as one element.
    public mutating func element(raw json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    // MARK: Bytes

    public mutating func key(_ key: StaticString) {
        let needsComma = needsComma
        key.withUTF8Buffer { name in
            bytes.append(addingCapacity: name.count + 4) { span in
                if needsComma { span.append(UInt8(ascii: ",")) }
                span.append(UInt8(ascii: "\""))
                for byte in name { span.append(byte) }
                span.append(UInt8(ascii: "\""))
                span.append(UInt8(ascii: ":"))
            }
        }
        self.needsComma = false
    }

    private mutating func key(dynamic key: String) {
        element(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    private mutating func appendDigits(_ value: UInt64, isNegative: Bool) {
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var first = digits.count
        var rest = value
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        bytes.append(addingCapacity: digits.count + 1) { span in
            if isNegative { span.append(UInt8(ascii: "-")) }
            for index in first..<digits.count { span.append(digits[index]) }
        }
    }

    /// RFC 8259 section 7; everything above U+001F but the quotation mark and the backslash stands for itself.
    private mutating func escape(_ value: String) {
        var value = value
        value.withUTF8 { text in
            if text.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                bytes.append(contentsOf: text)
            } else {
                for byte in text { escape(byte) }
            }
        }
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20:
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(Self.hex[Int(byte >> 4)])
            bytes.append(Self.hex[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }

    private static let hex = Array("0123456789abcdef".utf8)
}
