/// How many times the most repeated part of a POSIX extended regular expression stands in it when repetitions are written out, as glibc does
/// before it makes an automaton: `a+` is `aa*`, `a{2,5}` five `a`, `a{3,}` three and `a*`; `a*` and `a?` are no copies. Those of a group multiply.
enum RepetitionDepth {
    /// A pattern may be repeated so often that nothing compares with it.
    private static let endless = 1 << 20

    static func of(_ pattern: String) -> Int {
        var rest = Array(pattern.utf8)[...]
        /// The most repeated part of the group in hand, and of the groups around it.
        var (worst, around): (Int, [Int]) = (1, [])
        /// The same of what a repetition would repeat.
        var last = 1
        while let byte = rest.popFirst() {
            var times = 1
            switch byte {
            case UInt8(ascii: "\\"):
                rest = rest.dropFirst()
                last = 1
            case UInt8(ascii: "["):
                skipBrackets(&rest)
                last = 1
            case UInt8(ascii: "("):
                around.append(worst)
                (worst, last) = (1, 1)
            case UInt8(ascii: ")"):
                last = worst
                worst = max(worst, around.popLast() ?? 1)
            case UInt8(ascii: "*"), UInt8(ascii: "?"): break
            case UInt8(ascii: "+"): times = 2
            case UInt8(ascii: "{"): times = takeBounds(&rest)
            default: last = 1
            }
            last = min(endless, last * times)
            worst = max(worst, last)
        }
        // Groups that are not closed: no pattern, but not for this to say.
        return around.reduce(worst, max)
    }

    /// What is in brackets is one character; a bracket that comes first, and those of a class, do not end them.
    private static func skipBrackets(_ rest: inout ArraySlice<UInt8>) {
        if rest.first == UInt8(ascii: "^") { rest = rest.dropFirst() }
        if rest.first == UInt8(ascii: "]") { rest = rest.dropFirst() }
        while let byte = rest.popFirst(), byte != UInt8(ascii: "]") {
            guard byte == UInt8(ascii: "["), let mark = rest.first, ":.=".utf8.contains(mark) else { continue }
            guard
                let end = rest.indices.dropLast().dropFirst().first(where: { index in
                    rest[index] == mark && rest[index + 1] == UInt8(ascii: "]")
                })
            else { return }
            rest = rest[(end + 2)...]
        }
    }

    /// `2}`, `2,}`, `2,5}` or `,5}`.
    private static func takeBounds(_ rest: inout ArraySlice<UInt8>) -> Int {
        let bounds = rest.prefix { $0 != UInt8(ascii: "}") }
        rest = rest.dropFirst(bounds.count + 1)
        let numbers = bounds.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { Int(String(decoding: $0, as: UTF8.self)) }
        let isOpen = numbers.count == 2 && numbers[1] == nil
        return max(1, min(endless, (numbers.compactMap(\.self).max() ?? 1)) + (isOpen ? 1 : 0))
    }
}
