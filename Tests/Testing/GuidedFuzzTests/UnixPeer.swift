// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Blocking sockets for targets that answer over a connection.
enum UnixPeer {
    static func listen(_ path: String) -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        let status = withAddress(path) { bind(descriptor, $0, $1) }
        precondition(status == 0 && Glibc.listen(descriptor, 16) == 0, "cannot listen on \(path)")
        return descriptor
    }

    /// - Returns: -1 on failure. Reading fails after 20 seconds.
    static func connect(_ path: String) -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        guard withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else { return -1 }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }

    /// The bytes up to a newline, or to the end of the connection.
    static func line(_ descriptor: CInt) -> [UInt8] {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return line }
            line += buffer[..<count]
            if let end = line.firstIndex(of: UInt8(ascii: "\n")) { return Array(line[..<end]) }
        }
    }

    static func write(_ descriptor: CInt, _ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
