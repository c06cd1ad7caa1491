// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import GlimpseTesting
import Synchronization

/// A broker of MQTT 5 for one connection, which has limits and acknowledges nothing until it is asked to.
final class FakeBroker: Sendable {
    struct Publication: Equatable {
        /// Empty: the alias stands for it.
        var topic: String
        var alias: UInt16?
        var id: UInt16
    }

    private struct State {
        var connection: Int32 = -1
        var publications: [Publication] = []
        var acknowledged = 0
    }

    let port: Int
    private let listener: Int32
    private let state = Mutex(State())

    var publications: [Publication] { state.withLock { $0.publications } }

    init(receiveMaximum: UInt8, topicAliasMaximum: UInt8) {
        (listener, port) = Self.listen()
        DispatchQueue(label: "fake-broker").async { [self] in
            serve([0x21, 0, receiveMaximum, 0x22, 0, topicAliasMaximum])
        }
    }

    deinit { close(listener) }

    /// Acknowledges everything that was received.
    func acknowledge() {
        state.withLock { state in
            for publication in state.publications[state.acknowledged...] {
                let packet = [0x40, 2, UInt8(publication.id >> 8), UInt8(publication.id & 0xFF)]
                write(state.connection, packet, packet.count)
            }
            state.acknowledged = state.publications.count
        }
    }

    private func serve(_ properties: [UInt8]) {
        let connection = accept(listener, nil, nil)
        state.withLock { $0.connection = connection }
        while let (type, body) = Self.packet(connection) {
            switch type >> 4 {
            case 1:
                let answer = [0x20, UInt8(properties.count + 3), 0, 0, UInt8(properties.count)] + properties
                write(connection, answer, answer.count)
            case 3:
                if let publication = Self.publication(body) { state.withLock { $0.publications.append(publication) } }
            default: break
            }
        }
        close(connection)
    }

    /// Reads one packet; nil at the end of the connection.
    private static func packet(_ connection: Int32) -> (type: UInt8, body: [UInt8])? {
        func bytes(_ count: Int) -> [UInt8]? {
            var bytes: [UInt8] = []
            while bytes.count < count {
                var buffer = [UInt8](repeating: 0, count: count - bytes.count)
                let count = read(connection, &buffer, buffer.count)
                guard count > 0 else { return nil }
                bytes += buffer[..<count]
            }
            return bytes
        }
        guard let type = bytes(1)?[0] else { return nil }
        var (length, shift) = (0, 0)
        while let byte = bytes(1)?[0] {
            length |= Int(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        return bytes(length).map { (type, $0) }
    }

    /// Reads a PUBLISH with QoS 1 whose properties have less than 128 bytes. nil for a property that is no alias.
    private static func publication(_ body: [UInt8]) -> Publication? {
        func number(_ index: Int) -> UInt16 { UInt16(body[index]) << 8 | UInt16(body[index + 1]) }
        let end = 2 + Int(number(0))
        var publication = Publication(topic: String(decoding: body[2..<end], as: UTF8.self), id: number(end))
        switch body[end + 2] {
        case 0: break
        case 3 where body[end + 3] == 0x23: publication.alias = number(end + 4)
        default: return nil
        }
        return publication
    }

    private static func listen() -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ =
                    bind(descriptor, pointer, length) == 0 && Glibc.listen(descriptor, 1) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }
}
