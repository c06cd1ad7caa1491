// SPDX-License-Identifier: Apache-2.0
/// A body of `multipart/form-data` (RFC 7578).
struct MultipartForm {
    struct Part {
        var name: String
        var fileName: String?
        var type: String
        var bytes: [UInt8]
    }

    let boundary: String
    let parts: [Part]

    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(256) { $0 + $1.bytes.count + 256 })
        for part in parts {
            let file = part.fileName.map { "; filename=\"\($0)\"" } ?? ""
            bytes += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\"\(file)\r\n".utf8)
            bytes += Array("Content-Type: \(part.type)\r\n\r\n".utf8)
            bytes += part.bytes
            bytes += Array("\r\n".utf8)
        }
        return bytes + Array("--\(boundary)--\r\n".utf8)
    }

    /// A boundary of 128 random bits, which no picture contains.
    static func randomBoundary() -> String {
        let random = [UInt64.random(in: 0...UInt64.max), .random(in: 0...UInt64.max)]
        return "glimpse-" + random.map { String($0, radix: 16) }.joined()
    }
}
