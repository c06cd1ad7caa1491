// SPDX-License-Identifier: Apache-2.0
/// Names of hosts (RFC 1123, 2.1), international ones in Unicode included.
enum HostName {
    /// Two labels or more, the last one not a number.
    static func isDomain(_ text: TextBytes) -> Bool {
        let labels = text.parts(separatedBy: ".")
        guard text.count <= 253, labels.count >= 2, labels.allSatisfy(isLabel), let top = labels.last else {
            return false
        }
        return top.count >= 2 && !top.contains { $0.isDigit } || top.after(ignoringCase: "xn--") != nil
    }

    /// A domain, a single name, an IPv4 address, or an IPv6 address in brackets.
    static func isHost(_ text: TextBytes) -> Bool {
        if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") {
            let address = text.dropFirst().dropLast()
            return address.contains(UInt8(ascii: ":"))
                && address.allSatisfy { $0.hexValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        }
        // A root's dot may follow.
        let name = text.last == UInt8(ascii: ".") ? text.dropLast() : text
        return name.count <= 253 && name.parts(separatedBy: ".").allSatisfy(isLabel)
    }

    /// Whether a host stands alone as a web address: `www.` or a top-level domain that people write without a scheme.
    static func isBareWebHost(_ text: TextBytes) -> Bool {
        guard isDomain(text), let top = text.parts(separatedBy: ".").last else { return false }
        return text.after(ignoringCase: "www.") != nil || top.count == 2 && top.allSatisfy(\.isLetter)
            || generic.contains(top.string.lowercased())
    }

    /// With every two letters, which are countries (ISO 3166-1), these are the ends of nearly all written addresses.
    /// Others would make web addresses of file names.
    private static let generic: Set = [
        "com", "org", "net", "edu", "gov", "mil", "int", "info", "biz", "name", "pro", "mobi", "app", "dev", "shop",
        "online", "site", "store", "museum", "travel", "jobs", "asia", "page", "link", "club", "blog", "cloud", "tech",
    ]

    private static func isLabel(_ label: TextBytes) -> Bool {
        1...63 ~= label.count && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
            && label.allSatisfy { $0.isAlphanumeric || "-_".utf8.contains($0) || $0 >= 0x80 }
    }
}
