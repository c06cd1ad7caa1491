// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Any JSON value from a client's message, to be copied into lines of the stream.
package struct JSONText: Decodable {
    /// The value on one line, with members sorted by name.
    package let text: String

    package init(from decoder: any Decoder) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        text = String(decoding: try encoder.encode(Value(from: decoder)), as: UTF8.self)
    }

    private indirect enum Value: Codable {
        case null, flag(Bool), integer(Int64), number(Double), text(String), list([Value]), object([String: Value])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let integer = try? value.decode(Int64.self) {
                self = .integer(integer)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let list = try? value.decode([Value].self) {
                self = .list(list)
            } else {
                self = .object(try value.decode([String: Value].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .null: try value.encodeNil()
            case .flag(let flag): try value.encode(flag)
            case .integer(let integer): try value.encode(integer)
            case .number(let number): try value.encode(number)
            case .text(let text): try value.encode(text)
            case .list(let list): try value.encode(list)
            case .object(let members): try value.encode(members)
            }
        }
    }
}
