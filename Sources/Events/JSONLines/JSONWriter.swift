// SPDX-License-Identifier: Apache-2.0
import Observations

/// Appends JSON to a byte buffer, in the order of the calls, without reflection or an intermediate tree.
///
/// Numbers are printed in the shortest exact form (like Swift's `description`). A number that is not finite is a
/// programming error of the caller. It is left out together with its key, because JSON cannot express it and a line
/// must always stay valid.
public struct JSONWriter: ~Copyable, Sendable {
    @usableFromInline var buffer: JSONBuffer
    private var date = RFC3339Date()
    @usableFromInline var needsComma = false

    /// The buffer grows beyond the capacity when it must.
    public init(reservingCapacity capacity: Int = 1024) {
        buffer = JSONBuffer(capacity: capacity)
    }

    /// The bytes written so far.
    public var bytes: [UInt8] { buffer.bytes() }

    /// The number of bytes written so far.
    public var count: Int { buffer.count }

    /// Removes the bytes and keeps the memory.
    public mutating func reset() {
        buffer.removeAll()
        needsComma = false
    }

    // MARK: Structure

    /// Writes an object as the whole value or as the next element; `body` writes its members.
    @inlinable @inline(__always)
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        open("{")
        body(&self)
        close("}")
    }

    /// Writes a member that is an object; `body` writes its members.
    @inlinable @inline(__always)
    public mutating func object(_ key: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        object(body)
    }

    /// Writes a member that is an array; `body` writes its elements.
    @inlinable @inline(__always)
    public mutating func array(_ key: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        open("[")
        body(&self)
        close("]")
    }

    /// Writes a member that is an array, with a key that is not known at compile time.
    public mutating func array(dynamicKey key: String, _ body: (inout JSONWriter) -> Void) {
        self.key(dynamic: key)
        open("[")
        body(&self)
        close("]")
    }

    @inlinable @inline(__always)
    mutating func open(_ bracket: Unicode.Scalar) {
        let place = buffer.reserve(2)
        place[0] = UInt8(ascii: ",")
        place[needsComma ? 1 : 0] = UInt8(ascii: bracket)
        buffer.commit(needsComma ? 2 : 1)
        needsComma = false
    }

    @inlinable @inline(__always)
    mutating func close(_ bracket: Unicode.Scalar) {
        buffer.append(UInt8(ascii: bracket))
        needsComma = true
    }

    /// Writes the members of an object without its opening brace, after the encoded members in `beginning`.
    @inlinable @inline(__always)
    package mutating func rest(ofObject beginning: [UInt8], _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        reset()
        beginning.withUnsafeBufferPointer { buffer.append($0) }
        needsComma = true
        body(&self)
        close("}")
        return buffer.bytes()
    }

    // MARK: Members

    /// Writes a member and escapes its value. The key must need no escape.
    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString, _ value: String) {
        self.key(key)
        element(value)
    }

    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString, _ value: some FixedWidthInteger) {
        self.key(key)
        element(value)
    }

    /// Writes a member, or nothing if the value is not finite.
    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString, _ value: Float) {
        guard value.isFinite else { return }
        self.key(key)
        element(value)
    }

    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString, _ value: Bool) {
        self.key(key)
        element(value)
    }

    /// Writes a member whose key is not known at compile time, such as a tag.
    public mutating func member(dynamicKey key: String, _ value: String) {
        self.key(dynamic: key)
        element(value)
    }

    public mutating func member(dynamicKey key: String, _ value: some FixedWidthInteger) {
        self.key(dynamic: key)
        element(value)
    }

    /// Writes a member, or nothing if the value is not finite.
    public mutating func member(dynamicKey key: String, _ value: Double) {
        guard value.isFinite else { return }
        self.key(dynamic: key)
        element(value)
    }

    public mutating func member(dynamicKey key: String, _ value: Bool) {
        self.key(dynamic: key)
        element(value)
    }

    /// Writes a member that is an object, with a key that is not known at compile time.
    @inlinable @inline(__always)
    public mutating func object(dynamicKey key: String, _ body: (inout JSONWriter) -> Void) {
        self.key(dynamic: key)
        object(body)
    }

    /// Appends members in valid JSON without braces; at least one member.
    public mutating func members(raw json: [UInt8]) {
        element(raw: json)
    }

    /// Writes a time as RFC 3339 (see `Timestamp.rfc3339`).
    public mutating func member(_ key: StaticString, _ value: Timestamp) {
        self.key(key)
        let place = buffer.reserve(RFC3339Date.bytes + 2)
        place[0] = UInt8(ascii: "\"")
        date.write(value, to: place + 1)
        place[RFC3339Date.bytes + 1] = UInt8(ascii: "\"")
        buffer.commit(RFC3339Date.bytes + 2)
        needsComma = true
    }

    // MARK: Elements

    /// Writes an escaped string as the whole value or as the next element.
    public mutating func element(_ value: String) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        escape(value)
        buffer.append(UInt8(ascii: "\""))
        needsComma = true
    }

    @inlinable @inline(__always)
    public mutating func element(_ value: some FixedWidthInteger) {
        number(UInt64(value.magnitude), isNegative: value < 0)
    }

    /// A whole number below 2^24 is printed without a fraction.
    public mutating func element(_ value: Float) {
        guard value.isFinite else { return }
        if value.magnitude < 16_777_216, value == Float(Int32(value)) {
            let whole = Int32(value)
            return number(UInt64(whole.magnitude), isNegative: whole < 0)
        }
        separate()
        let place = buffer.reserve(ShortestDecimal.most)
        if let count = ShortestDecimal.write(value, to: place) {
            buffer.commit(count)
        } else {
            append(value.description)
        }
        needsComma = true
    }

    /// A whole number below 2^53 is printed without a fraction.
    public mutating func element(_ value: Double) {
        guard value.isFinite else { return }
        if value == value.rounded(), abs(value) < 9_007_199_254_740_992 {
            element(Int64(value))
            return
        }
        separate()
        append(value.description)
        needsComma = true
    }

    public mutating func element(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
        needsComma = true
    }

    /// Appends bytes of valid JSON as one element.
    public mutating func element(raw json: some Sequence<UInt8>) {
        separate()
        if json.withContiguousStorageIfAvailable({ buffer.append($0) }) == nil {
            for byte in json { buffer.append(byte) }
        }
        needsComma = true
    }

    // MARK: Bytes

    /// Begins a member. The next call must write its value. The key must need no escape.
    @inlinable @inline(__always)
    public mutating func key(_ key: StaticString) {
        let size = key.utf8CodeUnitCount
        var place = buffer.reserve(size + 4)
        place[0] = UInt8(ascii: ",")
        if needsComma { place += 1 }
        place[0] = UInt8(ascii: "\"")
        (place + 1).update(from: key.utf8Start, count: size)
        place[size + 1] = UInt8(ascii: "\"")
        place[size + 2] = UInt8(ascii: ":")
        buffer.commit(size + (needsComma ? 4 : 3))
        needsComma = false
    }

    /// A key that is not known at compile time.
    @usableFromInline
    package mutating func key(dynamic key: String) {
        element(key)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    @inline(__always)
    private mutating func separate() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    @usableFromInline
    mutating func number(_ magnitude: UInt64, isNegative: Bool) {
        let place = buffer.reserve(Digits.most + 2)
        var count = 0
        if needsComma {
            place[0] = UInt8(ascii: ",")
            count = 1
        }
        if isNegative {
            place[count] = UInt8(ascii: "-")
            count += 1
        }
        buffer.commit(count + Digits.write(magnitude, to: place + count))
        needsComma = true
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { buffer.append($0) }
    }

    /// Escapes as RFC 8259, section 7, requires. All characters above U+001F except the quotation mark and the
    /// backslash are copied.
    private mutating func escape(_ value: String) {
        var value = value
        value.withUTF8 { text in
            if text.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                buffer.append(text)
            } else {
                for byte in text { escape(byte) }
            }
        }
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0..<0x20:
            append("\\u00")
            buffer.append(Self.hex[Int(byte >> 4)])
            buffer.append(Self.hex[Int(byte & 15)])
        default: buffer.append(byte)
        }
    }

    private static let hex = Array("0123456789abcdef".utf8)
}
