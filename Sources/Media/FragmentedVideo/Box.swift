// SPDX-License-Identifier: Apache-2.0

/// The parts of an MP4 file (ISO/IEC 14496-12). Numbers have four bytes and are big-endian.
enum Box {
    static func bytes(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(8 + content.count) + text(name) + content
    }

    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func numbers(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { number($0) } }

    static func number(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, Array.init)
    }
}
