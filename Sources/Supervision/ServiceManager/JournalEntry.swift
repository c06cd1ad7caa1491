/// One entry of the system's journal, in its own protocol: systemd.io, "Native Journal Protocol".
package struct JournalEntry: Sendable {
    /// systemd.journal-fields(7) has names of at most 64 characters.
    private static let longestName = 64

    package private(set) var bytes: [UInt8] = []

    /// - Parameters:
    ///   - priority: syslog(3)'s, 0 to 7.
    ///   - identifier: the program's name.
    package init(message: String, priority: Int, identifier: String) {
        add("MESSAGE", message)
        add("PRIORITY", "\(priority)")
        add("SYSLOG_IDENTIFIER", identifier)
    }

    /// - Parameter name: made upper case, and what no name of a field has becomes `_`; left out when nothing of a name is left.
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

    /// The journal takes none that begins with an underscore, which are its own, or a digit.
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
