// SPDX-License-Identifier: Apache-2.0
/// One exchange with a server. `http` and `https` only; certificates are checked; proxies are those of the environment.
package struct HTTPRequest: Sendable {
    package var url: String
    /// `Name: value`, without line ends.
    package var headers: [String] = []
    /// Sent by POST; nil: GET.
    package var body: [UInt8]?
    /// The first byte that is wanted. A server that gives all the same is not an error: see `HTTPResponse.start`.
    package var offset = 0
    package var connectTimeout = Duration.seconds(10)
    /// nil: as long as it takes.
    package var timeout: Duration?
    /// Without a byte, rounded up to a second; nil: no limit.
    package var idleTimeout: Duration? = .seconds(30)
    /// 0: a redirect is an error. From https only https is followed.
    package var maximumRedirects = 0
    /// Whether only addresses of the public internet are spoken to, whatever a name resolves to.
    package var publicOnly = false
    /// Without any proxy.
    package var isDirect = false
    /// PEM file of the certificates that are trusted instead of the system's.
    package var certificates: String?
    /// Asked several times a second on the calling thread; true ends the exchange.
    package var isCancelled: (@Sendable () -> Bool)?
    /// A body with more bytes is an error.
    package var bodyLimit: Int

    package init(url: String, bodyLimit: Int) {
        self.url = url
        self.bodyLimit = bodyLimit
    }
}

/// The server's response before the body.
package struct HTTPResponse: Sendable, Equatable {
    package var status: Int
    package var contentLength: Int?
    /// The start of the sent part, and the size of the whole: `Content-Range`.
    package var rangeStart: Int?
    package var rangeTotal: Int?

    /// The offset of the body's first byte in the whole.
    package var start: Int { status == 206 ? rangeStart ?? 0 : 0 }
}

package struct HTTPError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// libcurl is missing on this machine.
        case noLibrary
        case badRequest
        /// No answer, or half of one: worth another try.
        case connection
        case timeout
        case redirect
        case tooLarge
        /// The name leads to an address that is not public.
        case privateAddress
        case cancelled
    }

    package var kind: Kind
    package var description: String
}
