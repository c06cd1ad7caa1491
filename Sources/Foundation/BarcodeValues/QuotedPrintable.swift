// SPDX-License-Identifier: Apache-2.0
/// RFC 2045, 6.7, as vCard 2.1 and vCalendar 1.0 use it.
enum QuotedPrintable {
    /// Soft line breaks have been taken out already. An escape that is none stands for itself.
    static func decoded(_ text: TextBytes) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "="), let high = rest.first?.hexValue, let low = rest.dropFirst().first?.hexValue {
                bytes.append(high << 4 | low)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
