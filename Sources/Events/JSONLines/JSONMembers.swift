// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The members of a JSON object as slices of its bytes. Lines of this project's encoder can be taken apart without
/// decoding them, and any member can be copied into another line unchanged.
///
/// The parser finds the ends of values and does not validate them. Bytes that do not form an object give nil, never a
/// trap.
package struct JSONMembers {
    package private(set) var members: [(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []

    /// - Parameter object: `{...}`, or an object without its opening brace, like the body of an encoded event.
    package init?(_ object: ArraySlice<UInt8>) {
        var rest = object
        if rest.first == UInt8(ascii: "{") { rest.removeFirst() }
        if rest.first == UInt8(ascii: "}"), rest.count == 1 { return }
        while true {
            guard let key = Self.takeValue(&rest), key.count >= 2, key.first == UInt8(ascii: "\""),
                key.last == UInt8(ascii: "\""), rest.popFirst() == UInt8(ascii: ":"),
                let value = Self.takeValue(&rest), !value.isEmpty
            else { return nil }
            members.append((key.dropFirst().dropLast(), value))
            switch rest.popFirst() {
            case UInt8(ascii: ","): continue
            case UInt8(ascii: "}") where rest.isEmpty: return
            default: return nil
            }
        }
    }

    /// The bytes of a value, including the quotation marks of a string. Keys are compared in their encoded form.
    package subscript(key: StaticString) -> ArraySlice<UInt8>? {
        key.withUTF8Buffer { name in members.first { $0.key.elementsEqual(name) }?.value }
    }

    /// As with a static key, for a key that is not known at compile time.
    package subscript(dynamicKey key: String) -> ArraySlice<UInt8>? {
        members.first { $0.key.elementsEqual(key.utf8) }?.value
    }

    /// The value of a string without escape sequences.
    package func text(_ key: StaticString) -> String? {
        guard let value = self[key], value.count >= 2, value.first == UInt8(ascii: "\"") else { return nil }
        return String(validating: value.dropFirst().dropLast(), as: UTF8.self)
    }

    /// The value of a string.
    package func string(_ key: StaticString) -> String? { self[key].flatMap(Self.string) }

    /// Decodes a string from its bytes, which include the quotation marks.
    package static func string(_ value: ArraySlice<UInt8>) -> String? {
        guard value.first == UInt8(ascii: "\"") else { return nil }
        guard value.contains(UInt8(ascii: "\\")) else {
            return value.count >= 2 ? String(decoding: value.dropFirst().dropLast(), as: UTF8.self) : nil
        }
        return try? JSONDecoder().decode(String.self, from: Data(value))
    }

    package func members(_ key: StaticString) -> JSONMembers? { self[key].flatMap(JSONMembers.init) }

    /// Finds one member's value. It stores no other members and reads nothing behind the value.
    package static func value(_ key: StaticString, in object: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        value(in: object) { name in
            name.count == key.utf8CodeUnitCount && key.withUTF8Buffer { name.starts(with: $0) }
        }
    }

    /// As with a static key, for a key that is not known at compile time.
    package static func value(dynamicKey key: String, in object: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        value(in: object) { $0.elementsEqual(key.utf8) }
    }

    @inline(__always)
    private static func value(
        in object: ArraySlice<UInt8>, of isName: (ArraySlice<UInt8>) -> Bool
    ) -> ArraySlice<UInt8>? {
        var rest = object
        if rest.first == UInt8(ascii: "{") { rest.removeFirst() }
        while let name = takeValue(&rest), rest.popFirst() == UInt8(ascii: ":"), let value = takeValue(&rest) {
            if name.count >= 2, isName(name.dropFirst().dropLast()) { return value }
            guard rest.popFirst() == UInt8(ascii: ",") else { return nil }
        }
        return nil
    }

    /// The elements of `[...]`.
    package static func elements(_ array: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        guard array.first == UInt8(ascii: "[") else { return [] }
        var rest = array.dropFirst()
        var elements: [ArraySlice<UInt8>] = []
        while let element = takeValue(&rest), !element.isEmpty {
            elements.append(element)
            guard rest.popFirst() == UInt8(ascii: ",") else { break }
        }
        return elements
    }

    /// Takes one value: all bytes up to a comma, colon or closing bracket outside the value.
    private static func takeValue(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let start = rest.startIndex
        var index = start
        var depth = 0
        var inString = false
        while index < rest.endIndex {
            let byte = rest[index]
            if inString {
                if byte == UInt8(ascii: "\\") { index += 1 }
                if byte == UInt8(ascii: "\"") { inString = false }
            } else {
                switch byte {
                case UInt8(ascii: "\""): inString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"):
                    if depth == 0 {
                        defer { rest = rest[index...] }
                        return rest[start..<index]
                    }
                    if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
                default: break
                }
            }
            index += 1
        }
        return nil
    }
}
