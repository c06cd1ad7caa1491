// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc
import Synchronization

/// A viewer of a picture stream that keeps every picture until its connection ends.
final class RecordingViewer: Sendable {
    /// The stream's end of the connection, which the stream closes.
    let descriptor: CInt
    private let received = Mutex<[UInt8]>([])
    private let end = DispatchGroup()

    init() {
        var ends: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            fatalError("no pair of sockets: \(errno)")
        }
        let own = ends[1]
        descriptor = ends[0]
        DispatchQueue(label: "recording-viewer").async(group: end) { [self] in
            var block = [UInt8](repeating: 0, count: 65536)
            while case let count = recv(own, &block, block.count, 0), count > 0 {
                received.withLock { $0 += block.prefix(count) }
            }
            close(own)
        }
    }

    /// The JPEG pictures that came whole. Waits for the end of the connection.
    func pictures() throws -> [[UInt8]] {
        struct Header: Decodable { var bytes: Int }
        end.wait()
        var rest = received.withLock { $0[...] }
        var pictures: [[UInt8]] = []
        while rest.count > 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            let header = rest.dropFirst(4).prefix(length)
            guard header.count == length else { break }
            let count = try JSONDecoder().decode(Header.self, from: Data(header)).bytes
            let picture = rest.dropFirst(4 + length).prefix(count)
            guard picture.count == count else { break }
            pictures.append(Array(picture))
            rest = rest.dropFirst(4 + length + count)
        }
        return pictures
    }
}
