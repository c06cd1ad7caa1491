// SPDX-License-Identifier: Apache-2.0
/// RFC 3986, 2.1.
enum PercentEncoding {
    /// Bytes that are no UTF-8 then are read as Latin-1; an escape that is none stands for itself.
    static func decoded(_ text: TextBytes) -> String {
        guard text.contains(UInt8(ascii: "%")) else { return text.string }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first?.hexValue, let low = rest.dropFirst().first?.hexValue {
                bytes.append(high << 4 | low)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return Charset.text(ofUnknown: bytes)
    }

    /// `name=value&name=value`, names in lower case, in their order.
    static func query(_ text: TextBytes) -> [(name: String, value: String)] {
        text.parts(separatedBy: "&").compactMap { pair in
            let (name, value) = pair.cut(at: "=")
            return name.isEmpty ? nil : (decoded(name).lowercased(), decoded(value ?? []))
        }
    }
}

extension [(name: String, value: String)] {
    subscript(name: String) -> String? { first { $0.name == name }?.value }
}
