// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import BarcodeValues
import HTTPClient
import Search

/// Asks a server: POST of the object's picture and of the object as JSON (`docs/reference/engines.md`).
struct HTTPSearch: BlockingSearch {
    /// The server and the terms of its use.
    struct Server: Sendable {
        /// `http` or `https`, without user or password.
        var url: String
        /// Read for each search, so that a changed token needs no restart; nil sends none.
        var token: (@Sendable () throws(SearchFailure) -> String)?
        /// The number of attempts after the first.
        var retries: Int
        var redirects: Int
        /// Whether connections to loopback, private and other special addresses are allowed.
        var privateAddresses: Bool
        /// A PEM file with the trusted certificates, in place of the system's.
        var certificates: String?
    }

    /// The longest answer in bytes; a longer one is an error.
    static let maximumBytes = 256 << 10
    /// The largest picture in bytes; a crop has at most 640 pixels.
    static let maximumPictureBytes = 8 << 20
    /// The delay before the second attempt. It doubles for each further attempt, and varies by a quarter.
    static let backoff = Duration.milliseconds(200)

    let server: Server
    let barcodes: BarcodeReporting
    let needsCrop = true

    func answer(_ query: SearchQuery, _ cancellation: SearchCancellation) -> SearchAnswer {
        do throws(SearchFailure) {
            let request = try request(query, cancellation)
            var wait = Self.backoff
            for attempt in 0... {
                var request = request
                request.timeout = cancellation.remaining
                do throws(SearchFailure) {
                    return .results(try exchange(request))
                } catch {
                    guard attempt < server.retries, error.reason == .network, error.retryable else { throw error }
                }
                sleep(for: wait * Double.random(in: 0.75...1.25), cancellation)
                if cancellation.isCancelled { break }
                wait *= 2
            }
            throw SearchFailure(.timeout, retryable: true)
        } catch {
            return .failed(error)
        }
    }

    private func request(
        _ query: SearchQuery, _ cancellation: SearchCancellation
    ) throws(SearchFailure) -> HTTPRequest {
        guard let path = query.crop else {
            throw SearchFailure(.crop, retryable: true, message: "no picture of the object")
        }
        let picture = try SmallFile.read(path, limit: Self.maximumPictureBytes)
        let form = MultipartForm(
            boundary: MultipartForm.randomBoundary(),
            parts: [
                .init(name: "object", type: "application/json", bytes: query.json(barcodes)),
                .init(name: "picture", fileName: "object.jpg", type: "image/jpeg", bytes: picture),
            ])
        var request = HTTPRequest(url: server.url, bodyLimit: Self.maximumBytes)
        request.body = form.bytes
        request.headers = ["Content-Type: \(form.contentType)", "Accept: application/json", "Expect:"]
        if let token = server.token { request.headers.append("Authorization: Bearer \(try token())") }
        request.maximumRedirects = server.redirects
        request.publicOnly = !server.privateAddresses
        // A proxy would make the connection itself, to any address.
        request.isDirect = true
        request.certificates = server.certificates
        request.isCancelled = { cancellation.isCancelled }
        return request
    }

    private func exchange(_ request: HTTPRequest) throws(SearchFailure) -> [SearchResult] {
        let (response, body): (HTTPResponse, [UInt8])
        do {
            (response, body) = try HTTPClient.data(request)
        } catch {
            guard let error = error as? HTTPError else { throw SearchFailure(.engine, retryable: false) }
            throw SearchFailure(error)
        }
        guard (200..<300).contains(response.status) else { throw SearchFailure(status: response.status) }
        return try HTTPSearchAnswer.results(body)
    }

    private func sleep(for duration: Duration, _ cancellation: SearchCancellation) {
        let end = ContinuousClock.now + min(duration, cancellation.remaining)
        while ContinuousClock.now < end, !cancellation.isCancelled { usleep(10_000) }
    }
}

extension SearchFailure {
    init(_ error: HTTPError) {
        switch error.kind {
        case .timeout: self.init(.timeout, retryable: true, message: "the server did not answer in time")
        case .connection: self.init(.network, retryable: true, message: error.description)
        case .redirect:
            self.init(.network, retryable: false, message: "the server sent too many redirects, or an unsafe one")
        case .privateAddress: self.init(.network, retryable: false, message: error.description)
        case .tooLarge: self.init(.response, retryable: true, message: "the answer is too long")
        case .cancelled: self.init(.timeout, retryable: true)
        case .noLibrary, .badRequest: self.init(.engine, retryable: false, message: error.description)
        }
    }

    /// A status that does not mean success. It is retryable if the server reports its own error or overload.
    init(status: Int) {
        let isTheServers = status >= 500 || status == 408 || status == 425 || status == 429
        self.init(.network, retryable: isTheServers, message: "the server answered with status \(status)")
    }
}
