// SPDX-License-Identifier: Apache-2.0
import Glibc
import HTTPClient
import SHA2
import Settings

/// The failure of a request, for people. It has no secret, and of the address only its origin.
struct WebhookFailure: Error, Equatable, CustomStringConvertible {
    let description: String
}

/// A signed POST of events to a webhook.
struct WebhookRequest {
    /// The answer's body is read up to this size, and not kept.
    private static let answerLimit = 64 << 10

    private let settings: WebhookSettings
    private let isCancelled: @Sendable () -> Bool

    init(_ settings: WebhookSettings, isCancelled: @escaping @Sendable () -> Bool) {
        self.settings = settings
        self.isCancelled = isCancelled
    }

    /// Returns when the server has answered with 2xx and the answer is complete, or longer than its limit.
    func post(_ body: [UInt8]) throws(WebhookFailure) {
        let status = try status(request(body))
        guard (200..<300).contains(status) else {
            throw WebhookFailure(description: "the server answers with status \(status)")
        }
    }

    private func request(_ body: [UInt8]) throws(WebhookFailure) -> HTTPRequest {
        var request = HTTPRequest(url: settings.address.url, bodyLimit: .max)
        request.body = body
        // `Expect:` keeps libcurl from asking before each large body.
        request.headers = ["Content-Type: application/json", "User-Agent: glimpsed-relay", "Expect:"]
        if let secret = try secret() {
            request.headers.append("X-Glimpse-Signature-256: sha256=\(HMAC.hexDigest(body, key: Array(secret.utf8)))")
        }
        request.connectTimeout = min(.seconds(10), settings.timeout)
        request.timeout = settings.timeout
        request.idleTimeout = nil
        // Only a name can lead to an address that its owner did not write.
        request.publicOnly = settings.address.host == .name && !settings.privateAddresses
        // A proxy would make the connection itself, to any address.
        request.isDirect = true
        request.certificates = settings.certificates
        request.isCancelled = isCancelled
        return request
    }

    /// Read for each request, so that a changed secret needs no restart.
    private func secret() throws(WebhookFailure) -> String? {
        do throws(PasswordProblem) {
            return try settings.secret?.read("secret", of: settings.name, place: .relay) { name in
                getenv(name).map { String(cString: $0) }
            }
        } catch {
            throw WebhookFailure(description: error.description)
        }
    }

    private struct LongAnswer: Error {
        let status: Int
    }

    private func status(_ request: HTTPRequest) throws(WebhookFailure) -> Int {
        var size = 0
        do {
            return try HTTPClient.perform(request) { response, bytes in
                size += bytes.count
                if size > Self.answerLimit { throw LongAnswer(status: response.status) }
            }.status
        } catch let answer as LongAnswer {
            return answer.status
        } catch let error as HTTPError {
            throw WebhookFailure(description: text(error))
        } catch {
            throw WebhookFailure(description: "\(error)")
        }
    }

    /// The text has no number that another attempt would change, so that the log has one line about one problem.
    private func text(_ error: HTTPError) -> String {
        switch error.kind {
        case .timeout: "no complete answer within \(settings.timeout)"
        case .redirect: "the server redirects, which is not followed"
        case .privateAddress: "\(error.description): set private_addresses = true to allow it"
        default: Self.withoutTime(error.description)
        }
    }

    /// libcurl's text without ` after 12 ms`.
    private static func withoutTime(_ text: String) -> String {
        guard let start = text.firstRange(of: " after "), let end = text[start.upperBound...].firstRange(of: " ms")
        else { return text }
        var text = text
        text.removeSubrange(start.lowerBound..<end.upperBound)
        return text
    }
}
