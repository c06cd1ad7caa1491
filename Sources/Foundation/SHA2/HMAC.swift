// SPDX-License-Identifier: Apache-2.0
/// HMAC with SHA-256 (RFC 2104): proves that whoever made a message knows the key.
package enum HMAC {
    private static let blockSize = 64

    /// In lower-case hexadecimal digits.
    package static func hexDigest(_ message: [UInt8], key: [UInt8]) -> String {
        var block = key.count > blockSize ? SHA256.digest(key) : key
        block += [UInt8](repeating: 0, count: blockSize - block.count)
        let inner = SHA256.digest(block.map { $0 ^ 0x36 } + message)
        return SHA256.hexDigest(block.map { $0 ^ 0x5C } + inner)
    }
}
