// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

extension JSONWriter {
    @inline(__always)
    package mutating func member(_ name: FieldName, _ value: String) { member(name.text, value) }

    @inline(__always)
    package mutating func member(_ name: FieldName, _ value: some FixedWidthInteger) { member(name.text, value) }

    @inline(__always)
    package mutating func member(_ name: FieldName, _ value: Float) { member(name.text, value) }

    @inline(__always)
    package mutating func member(_ name: FieldName, _ value: Bool) { member(name.text, value) }

    @inline(__always)
    package mutating func member(_ name: FieldName, _ value: Timestamp) { member(name.text, value) }

    @inline(__always)
    package mutating func object(_ name: FieldName, _ body: (inout JSONWriter) -> Void) { object(name.text, body) }

    @inline(__always)
    package mutating func array(_ name: FieldName, _ body: (inout JSONWriter) -> Void) { array(name.text, body) }

    @inline(__always)
    package mutating func key(_ name: FieldName) { key(name.text) }

    /// Copies a member unchanged; writes nothing if it is absent.
    package mutating func copy(_ name: FieldName, from members: JSONMembers) {
        guard let value = members[name] else { return }
        key(name)
        element(raw: value)
    }

    /// Copies the first members of every line about a detector.
    mutating func copyHead(of track: JSONMembers, at context: JSONMembers) {
        copy(.pipeline, from: track)
        copy(.tags, from: track)
        copy(.time, from: context)
        copy(.clock, from: context)
        copy(.frame, from: context)
        copy(.detector, from: track)
        copy(.kind, from: track)
    }
}

extension JSONMembers {
    package subscript(name: FieldName) -> ArraySlice<UInt8>? { self[name.text] }

    package func text(_ name: FieldName) -> String? { text(name.text) }

    package func string(_ name: FieldName) -> String? { string(name.text) }

    package func members(_ name: FieldName) -> JSONMembers? { members(name.text) }

    package static func value(_ name: FieldName, in object: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        value(name.text, in: object)
    }
}
