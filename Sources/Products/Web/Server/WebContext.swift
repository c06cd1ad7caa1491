// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import NIOCore

/// A request's place in the router, with its peer.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The peer's address for the log.
    let peer: String
    /// Whether the request came with the token, and not with a session's cookie.
    var hasToken = false

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        let address = source.channel.remoteAddress
        peer = address?.ipAddress.map { "\($0):\(address?.port ?? 0)" } ?? "unix"
    }
}
