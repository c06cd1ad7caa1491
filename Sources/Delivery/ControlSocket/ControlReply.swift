// SPDX-License-Identifier: Apache-2.0
import JSONLines

/// The use of a connection that carries no replies from now on. Called on the event loop.
package struct ConnectionHandover: Sendable {
    /// Called when the peer has the reply, with the connection's descriptor, which stays the connection's. `close`
    /// closes the connection; it is called on the event loop too.
    let begin: @Sendable (_ descriptor: CInt, _ close: @escaping @Sendable () -> Void) -> Void
    /// Called once, when the connection is closed, also if it did not begin.
    let end: @Sendable () -> Void

    package init(
        begin: @escaping @Sendable (_ descriptor: CInt, _ close: @escaping @Sendable () -> Void) -> Void,
        end: @escaping @Sendable () -> Void
    ) {
        self.begin = begin
        self.end = end
    }
}

/// The result of a request; one line.
package struct ControlReply: Sendable {
    /// The reason of a failure, for people; nil if the request succeeded.
    package var error: String?
    /// Takes the connection over after the reply; nil if further requests may follow.
    package var handover: ConnectionHandover?
    /// Writes the command's own members of the reply.
    private let members: @Sendable (inout JSONWriter) -> Void

    private init(error: String?, members: @escaping @Sendable (inout JSONWriter) -> Void) {
        self.error = error
        self.members = members
    }

    package static func done(_ members: @escaping @Sendable (inout JSONWriter) -> Void = { _ in }) -> ControlReply {
        ControlReply(error: nil, members: members)
    }

    package static func failed(
        _ error: String, _ members: @escaping @Sendable (inout JSONWriter) -> Void = { _ in }
    ) -> ControlReply {
        ControlReply(error: error, members: members)
    }

    /// The line including its newline: `{"v":1,"type":"reply","request":7,"ok":true,...}`.
    package func line(for id: ControlRequest.ID?) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("v", 1)
            json.member("type", "reply")
            switch id {
            case .text(let text): json.member("request", text)
            case .number(let number): json.member("request", number)
            case nil: break
            }
            json.member("ok", error == nil)
            if let error { json.member("error", error) }
            members(&json)
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
