// SPDX-License-Identifier: Apache-2.0
/// One entry of the system journal, in its native protocol: systemd.io, "Native Journal Protocol".
package struct JournalEntry: Sendable {
    /// The longest field name: systemd.journal-fields(7) allows 64 characters.
    private static let longestName = 64

    package private(set) var bytes: [UInt8] = []

    /// - Parameters:
    ///   - priority: the priority of syslog(3), 0 to 7.
    ///   - identifier: the program's name.
    package init(message: String, priority: Int, identifier: String) {
        add("MESSAGE", message)
        add("PRIORITY", "\(priority)")
        add("SYSLOG_IDENTIFIER", identifier)
    }

    /// - Parameter name: converted to upper case, with `_` for invalid characters. The field is left out if no
    ///   character remains.
    package mutating func add(_ name: String, _ value: String) {
        let name = Self.fieldName(name)
        guard !name.isEmpty else { return }
        bytes += name
        let value = value.utf8
        if value.contains(UInt8(ascii: "\n")) {
            bytes.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }

    /// The journal refuses names that begin with a digit or with an underscore; the latter are its own.
    private static func fieldName(_ name: String) -> [UInt8] {
        let upper = name.uppercased().utf8.map { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            default: UInt8(ascii: "_")
            }
        }
        return Array(upper.drop { !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }.prefix(longestName))
    }
}
