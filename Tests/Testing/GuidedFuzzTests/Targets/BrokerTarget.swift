// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

@testable import Relay

extension FuzzTarget {
    /// The bytes of a broker, behind its acceptance if the first byte is even. The connection gives reports and then an
    /// error, and messages can be published in between.
    ///
    /// MQTT 3.1.1 alone: libmosquitto 2.0.11 ends the process at a property of MQTT 5 that it does not know.
    static let broker = FuzzTarget(
        name: "broker", longest: 1024,
        words: ["online", "homeassistant/status", "\u{20}\u{3}\0\0\0", "\u{40}\u{2}\0\u{1}"]
    ) { input in
        guard let first = input.first else { return }
        let acceptance: [UInt8] = [0x20, 2, 0, 0]
        Broker.shared.bytes.withLock { $0 = (first & 1 == 0 ? acceptance : []) + input.dropFirst() }
        var options = MQTTConnection.Options(host: "127.0.0.1", port: Broker.shared.port, clientID: "fuzz")
        options.isVersionFive = false
        do throws(MQTTError) {
            let (connection, wake) = (try MQTTConnection(options), Wake())
            var isConnected = false
            for turn in 0..<1000 {
                for report in try connection.step(.seconds(20), wake: wake) {
                    switch report {
                    case .answered(let reason):
                        guard reason == 0 else { throw connection.refusal(reason) }
                        isConnected = true
                    case .disconnected: throw MQTTError(description: "closed")
                    case .acknowledged, .received: break
                    }
                }
                if isConnected, turn < 4 { _ = try connection.publish("t/\(turn / 2)", [1], isRetained: false) }
            }
        } catch {
            return try require(!error.description.isEmpty)
        }
        throw Broken(description: "the connection does not end")
    }
}

/// Accepts connections of TCP, and answers each with some bytes.
private final class Broker: Sendable {
    static let shared = Broker()

    let port: Int
    let bytes = Mutex<[UInt8]>([])

    private init() {
        MQTTConnection.setUp()
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                let isOpen =
                    bind(descriptor, pointer, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, pointer, &length) == 0
                precondition(isOpen, "no port")
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            while true {
                let peer = accept(descriptor, nil, nil)
                // No connection stays in the system's memory after its end.
                var linger = linger(l_onoff: 1, l_linger: 0)
                UnixPeer.write(peer, bytes.withLock { $0 })
                shutdown(peer, CInt(SHUT_WR))
                // Reads until the client has closed, so that no byte is lost.
                var buffer = [UInt8](repeating: 0, count: 4096)
                while read(peer, &buffer, buffer.count) > 0 {}
                setsockopt(peer, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
                close(peer)
            }
        }
    }
}
