/// Values without quotes: booleans and numbers as TOML 1.0 writes them, dates left out.
enum BareValue {
    static func isValid(_ text: String) -> Bool {
        if text == "true" || text == "false" { return true }
        let bytes = Array(text.utf8)[...]
        for (prefix, digits) in [("0x", "0123456789abcdefABCDEF"), ("0o", "01234567"), ("0b", "01")]
        where text.hasPrefix(prefix) {
            return areDigits(bytes.dropFirst(2), of: digits)
        }
        let unsigned = unsigned(bytes)
        if unsigned.elementsEqual("inf".utf8) || unsigned.elementsEqual("nan".utf8) { return true }
        return isDecimal(unsigned)
    }

    /// `1_000`, `0.5`, `1e-3`, `6.02E+23`; no leading zeroes, digits on both sides of the point.
    private static func isDecimal(_ bytes: ArraySlice<UInt8>) -> Bool {
        let halves = bytes.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        if halves.count == 2, !areDigits(unsigned(halves[1])) { return false }
        let parts = halves[0].split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !areDigits(parts[1]) { return false }
        return areDigits(parts[0]) && (parts[0].count == 1 || parts[0].first != UInt8(ascii: "0"))
    }

    private static func unsigned(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.first == UInt8(ascii: "+") || bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
    }

    /// At least one, with single underscores between them.
    private static func areDigits(_ bytes: ArraySlice<UInt8>, of allowed: String = "0123456789") -> Bool {
        bytes.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false).allSatisfy { group in
            !group.isEmpty && group.allSatisfy(allowed.utf8.contains)
        }
    }
}
