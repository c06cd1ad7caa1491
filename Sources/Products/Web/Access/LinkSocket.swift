// SPDX-License-Identifier: Apache-2.0
import Glibc
import JSONLines
import LogSupport
import UnixSocket

/// The socket on which `glimpsed web open` asks for a one-time link. Root and this program's own user get one.
final class LinkSocket {
    private let file: SocketFile?
    private let listener: SocketListener

    /// - Parameter link: makes the address of a link.
    /// - Throws: `SocketError`.
    init(path: String, log: ProgramLog, link: @escaping @Sendable () -> String) throws(SocketError) {
        let listening = try SocketFile.listen(path: path, mode: 0o666, group: "", setting: "links")
        file = listening.file
        let own = geteuid()
        listener = SocketListener(listening.descriptor, name: "glimpsed-web.links") { descriptor in
            var json = JSONWriter()
            let peer = try? Peer(of: descriptor)
            let isAllowed = peer.map { $0.user == 0 || $0.user == own } ?? false
            json.object { json in
                json.member("ok", isAllowed)
                if isAllowed {
                    json.member("url", link())
                } else {
                    json.member("error", "only root and the page's own user get a link")
                }
            }
            if isAllowed, let peer { log(.notice, "user \(peer.user) got a link to the page") }
            SocketListener.refuse(descriptor, with: json.bytes + [UInt8(ascii: "\n")])
        }
    }

    func close() {
        file?.remove()
        listener.close()
    }
}
