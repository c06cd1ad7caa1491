// SPDX-License-Identifier: Apache-2.0

/// A parser of bytes from outside, and the property that holds for any of them.
struct FuzzTarget: Sendable, CustomStringConvertible {
    let name: String
    /// The longest input that the fuzzer makes.
    var longest = 4096
    /// Texts that the fuzzer inserts: keywords of the format.
    var words: [String] = []
    /// Throws `Broken` if the property does not hold.
    let check: @Sendable ([UInt8]) throws -> Void

    static let all = [
        answer, broker, channel, clip, control, event, settings, subscriber, symbol, tape, video, web,
    ]

    var description: String { name }

    /// The folder in `Tests/Seeds`. The tests that damage seeds have folders of their own. A fuzzer's many inputs would
    /// leave them few rounds for each seed.
    var folder: String { "guided-\(name)" }

    /// The words in the form of libFuzzer's dictionaries.
    var dictionary: String {
        words.map { word in
            let text = word.utf8.map { byte -> String in
                let isPlain = (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x5C
                return isPlain ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            return "\"\(text.joined())\"\n"
        }.joined()
    }
}

/// A property that does not hold.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

/// - Throws: `Broken`.
func require(
    _ condition: @autoclosure () throws -> Bool, _ text: @autoclosure () -> String = "", line: Int = #line,
    file: String = #fileID
) throws {
    if try !condition() { throw Broken(description: "\(file):\(line): \(text())") }
}
