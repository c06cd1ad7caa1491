// SPDX-License-Identifier: Apache-2.0
import CCurl

/// Blocking HTTP by libcurl, which is loaded at the first request.
package enum HTTPClient {
    /// Performs the exchange; `receive` gets the body in pieces and may throw, which ends the exchange with that error.
    /// Any status of the server is a response, not an error. Any thread; several at a time.
    @discardableResult
    package static func perform(
        _ request: HTTPRequest, receive: (HTTPResponse, UnsafeRawBufferPointer) throws -> Void
    ) throws -> HTTPResponse {
        try withoutActuallyEscaping(receive) { receive in
            let exchange = Exchange(limit: request.bodyLimit, isCancelled: request.isCancelled, receive: receive)
            let (status, head, words) = request.withC(exchange) { request in
                var head = ccurl_head()
                var words = [CChar](repeating: 0, count: 512)
                let status = ccurl_perform(&request, &head, &words, words.count)
                return (status, head, String(decoding: words.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
            }
            if let failure = exchange.failure { throw failure }
            guard status == CCURL_OK else { throw HTTPError(kind: .init(status), description: words) }
            return HTTPResponse(head)
        }
    }

    /// The whole body in memory.
    package static func data(_ request: HTTPRequest) throws -> (HTTPResponse, [UInt8]) {
        var body: [UInt8] = []
        let response = try perform(request) { _, bytes in body += bytes }
        return (response, body)
    }
}

/// The state of the C callback during one call.
private final class Exchange {
    private let receive: (HTTPResponse, UnsafeRawBufferPointer) throws -> Void
    let isCancelled: (@Sendable () -> Bool)?
    private var room: Int
    private(set) var failure: (any Error)?

    init(
        limit: Int, isCancelled: (@Sendable () -> Bool)?,
        receive: @escaping (HTTPResponse, UnsafeRawBufferPointer) throws -> Void
    ) {
        room = limit
        self.isCancelled = isCancelled
        self.receive = receive
    }

    func take(_ head: ccurl_head, _ bytes: UnsafeRawBufferPointer) -> Bool {
        do {
            room -= bytes.count
            guard room >= 0 else {
                throw HTTPError(kind: .tooLarge, description: "the answer is larger than what was expected")
            }
            try receive(HTTPResponse(head), bytes)
            return true
        } catch {
            failure = error
            return false
        }
    }
}

extension HTTPRequest {
    /// The C form, good for the length of the call.
    fileprivate func withC<Result>(_ exchange: Exchange, _ body: (inout ccurl_request) -> Result) -> Result {
        var c = ccurl_request()
        c.offset = Int64(offset)
        c.connect_timeout_ms = connectTimeout.milliseconds
        c.total_timeout_ms = timeout?.milliseconds ?? 0
        c.idle_timeout_s = idleTimeout.map { ($0.milliseconds + 999) / 1000 } ?? 0
        c.max_redirects = Int32(maximumRedirects)
        c.public_only = publicOnly
        c.direct = isDirect
        if isCancelled != nil {
            c.is_cancelled = { context in
                guard let context else { return false }
                return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().isCancelled?() ?? false
            }
        }
        c.context = Unmanaged.passUnretained(exchange).toOpaque()
        c.receive = { context, head, bytes, count in
            guard let context, let head else { return false }
            let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            return exchange.take(head.pointee, UnsafeRawBufferPointer(start: bytes, count: count))
        }
        return withExtendedLifetime(exchange) {
            url.withCString { url in
                c.url = url
                return withCStrings(headers[...] + [certificates ?? ""], []) { texts in
                    texts.withUnsafeBufferPointer { texts in
                        (c.headers, c.header_count) = (texts.baseAddress, texts.count - 1)
                        c.ca_file = certificates == nil ? nil : texts[texts.count - 1]
                        guard let posted = self.body else { return body(&c) }
                        // An empty array may have no address, and none means GET.
                        return (posted + [0]).withUnsafeBufferPointer { bytes in
                            (c.body, c.body_length) = (bytes.baseAddress, bytes.count - 1)
                            return body(&c)
                        }
                    }
                }
            }
        }
    }

    private func withCStrings<Result>(
        _ texts: ArraySlice<String>, _ done: [UnsafePointer<CChar>?], _ body: ([UnsafePointer<CChar>?]) -> Result
    ) -> Result {
        guard let first = texts.first else { return body(done) }
        return first.withCString { withCStrings(texts.dropFirst(), done + [$0], body) }
    }
}

extension HTTPResponse {
    fileprivate init(_ head: ccurl_head) {
        func known(_ value: Int64) -> Int? { value >= 0 ? Int(value) : nil }
        self.init(
            status: Int(head.code), contentLength: known(head.content_length), rangeStart: known(head.range_start),
            rangeTotal: known(head.range_total))
    }
}

extension HTTPError.Kind {
    fileprivate init(_ status: ccurl_status) {
        switch status {
        case CCURL_NO_LIBRARY: self = .noLibrary
        case CCURL_BAD_ARGUMENT: self = .badRequest
        case CCURL_TIMED_OUT: self = .timeout
        case CCURL_REDIRECTED: self = .redirect
        case CCURL_REFUSED: self = .privateAddress
        case CCURL_STOPPED: self = .cancelled
        default: self = .connection
        }
    }
}

extension Duration {
    /// At least one.
    fileprivate var milliseconds: Int32 { Int32(clamping: max(1, Int64(self / .milliseconds(1)))) }
}
