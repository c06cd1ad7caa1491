// SPDX-License-Identifier: Apache-2.0
/// Reads values that `[UInt8].put` wrote, from the front of a payload.
struct ByteReader {
    /// The payload does not have this format.
    struct Malformed: Error {}

    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    private var left: Int { bytes.endIndex - position }

    /// Throws if bytes are left over.
    func finish() throws(Malformed) {
        guard left == 0 else { throw Malformed() }
    }

    mutating func byte() throws(Malformed) -> UInt8 {
        guard left > 0 else { throw Malformed() }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func unsigned() throws(Malformed) -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = try byte()
            guard shift < 63 || byte <= 1 else { throw Malformed() }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    mutating func signed() throws(Malformed) -> Int64 {
        let value = try unsigned()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    mutating func integer() throws(Malformed) -> Int { Int(try signed()) }

    /// A number of elements, each of which takes at least one byte.
    mutating func count() throws(Malformed) -> Int {
        let value = try unsigned()
        guard value <= UInt64(left) else { throw Malformed() }
        return Int(value)
    }

    mutating func bool() throws(Malformed) -> Bool {
        let byte = try byte()
        guard byte <= 1 else { throw Malformed() }
        return byte == 1
    }

    mutating func float() throws(Malformed) -> Float { Float(bitPattern: UInt32(try littleEndian(bytes: 4))) }
    mutating func double() throws(Malformed) -> Double { Double(bitPattern: try littleEndian(bytes: 8)) }

    /// A time in seconds, a size or a rate of a configuration, in the range 0...1e9. Any other number is malformed.
    mutating func quantity() throws(Malformed) -> Double {
        let value = try double()
        guard (0...1e9).contains(value) else { throw Malformed() }
        return value
    }

    private mutating func littleEndian(bytes count: Int) throws(Malformed) -> UInt64 {
        guard left >= count else { throw Malformed() }
        defer { position += count }
        return bytes[position..<position + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func payload() throws(Malformed) -> [UInt8] { Array(try slice()) }

    private mutating func slice() throws(Malformed) -> ArraySlice<UInt8> {
        let count = try count()
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func text() throws(Malformed) -> String {
        guard let text = String(validating: try slice(), as: UTF8.self) else { throw Malformed() }
        return text
    }

    mutating func name<Value: RawRepresentable<String>>(
        _ type: Value.Type = Value.self
    ) throws(Malformed) -> Value {
        guard let value = Value(rawValue: try text()) else { throw Malformed() }
        return value
    }

    mutating func optional<Value>(
        _ read: (inout ByteReader) throws(Malformed) -> Value
    ) throws(Malformed) -> Value? {
        try bool() ? try read(&self) : nil
    }

    mutating func all<Element>(
        _ read: (inout ByteReader) throws(Malformed) -> Element
    ) throws(Malformed) -> [Element] {
        let count = try count()
        var elements: [Element] = []
        // A false count allocates at most as many elements as the payload has bytes.
        elements.reserveCapacity(min(count, 64))
        for _ in 0..<count { elements.append(try read(&self)) }
        return elements
    }
}
