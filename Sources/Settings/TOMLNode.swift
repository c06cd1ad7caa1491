import TOMLKit

/// A TOML value as a Swift value, read out of TOMLKit's tree at once.
///
/// TOMLKit hands out pointers into a C++ tree, cuts strings at a NUL, and traps on keys that contain one (the scanner
/// refuses those first).
enum TOMLNode: Sendable, Equatable {
    case string(String)
    case integer(Int)
    case float(Double)
    case boolean(Bool)
    case array([TOMLNode])
    case table([String: TOMLNode])

    /// What a person calls it.
    var typeName: String {
        switch self {
        case .string: "a string"
        case .integer: "an integer"
        case .float: "a float"
        case .boolean: "a boolean"
        case .array: "an array"
        case .table: "a table"
        }
    }
}

extension TOMLNode {
    /// - Throws: `TOMLParseError`, with the line.
    init(parsing text: String) throws {
        let table = try TOMLTable(string: text)
        // TOMLKit 0.6.0 never frees a tree: 5.5 KiB for each load of a file of 1 KiB; 1.5 KiB with this.
        defer { table.clear() }
        self = .table(Self.members(of: table))
    }

    private static func members(of table: TOMLTable) -> [String: TOMLNode] {
        var members: [String: TOMLNode] = [:]
        for key in table.keys {
            members[key] = table[key].map { TOMLNode($0) }
        }
        return members
    }

    private init(_ value: any TOMLValueConvertible) {
        switch value.type {
        case .string: self = .string(value.string ?? "")
        case .int: self = .integer(value.int ?? 0)
        case .double: self = .float(value.double ?? 0)
        case .bool: self = .boolean(value.bool ?? false)
        // The scanner lets none through.
        case .date, .time, .dateTime: self = .string("")
        case .array: self = .array((value.array.map(Array.init) ?? []).map { TOMLNode($0) })
        case .table: self = .table(value.table.map(Self.members) ?? [:])
        }
    }
}
