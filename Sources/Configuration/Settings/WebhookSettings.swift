// SPDX-License-Identifier: Apache-2.0
import Observations

/// One `[[webhook]]` of `relay.toml`: an HTTP server that gets events by POST.
package struct WebhookSettings: DestinationSettings {
    package var name = ""
    package var types = ["completed"]
    package var updateRate = 1.0
    package var start = DestinationStart.now
    package var pipelines: [String] = []
    package var kinds: Set<FeatureKind> = []
    package var demand = false
    package var address = WebhookAddress()
    /// The key of the signature; nil: the requests have no signature.
    package var secret: PasswordSource?
    /// The most events of a request.
    package var batch = 100
    /// The longest time for which an event waits for others.
    package var batchWait = Duration.seconds(1)
    /// The time limit of a request and its answer.
    package var timeout = Duration.seconds(10)
    /// How long a request is repeated before its events are skipped.
    package var retryFor = Duration.seconds(86_400)
    /// Whether a name may lead to an address that is not of the public internet.
    package var privateAddresses = false
    /// PEM file of the certificates that are trusted instead of the system's.
    package var certificates: String?

    package static let standard = Self()
}

extension WebhookSettings: KeyedTable {
    package static let keys = destinationKeys(
        of: Self.init(
            name:types:updateRate:start:pipelines:kinds:demand:address:secret:batch:batchWait:timeout:retryFor:
            privateAddresses:certificates:),
        .init(
            "url", \.address, .webhookAddress, .restart, required: #"such as url = "https://example.org/hook""#,
            "the server's address; http:// for this machine only"),
        .secret("secret", \.secret, .restart),
        .init("batch", \.batch, .integer(1...1000), .restart, "the most events of a request"),
        .init(
            "batch_wait", \.batchWait, .duration(.zero, to: .seconds(3600)), .restart,
            "the longest time for which an event waits for others"),
        .init(
            "timeout", \.timeout, .duration(.milliseconds(100), to: .seconds(600)), .restart,
            "the time limit of a request and its answer"),
        .init(
            "retry_for", \.retryFor, .duration(.seconds(1), to: .seconds(365 * 86_400)), .restart,
            "how long a request is repeated before its events are skipped"),
        .init(
            "private_addresses", \.privateAddresses, .boolean, .restart,
            "whether a name may lead to an address that is not of the public internet"),
        .init(
            "ca_file", optional: \.certificates, .file, .restart,
            "PEM file of the certificates that are trusted instead of the system's"))

    init(_ reader: TableReader) {
        self = .standard
        decode(reader)
        _ = PasswordSource.check(reader, "secret")
        if let path = secret?.missingFile {
            reader.report("secret_file", "secret_file \(path) does not exist")
        } else if let path = secret?.openFile {
            reader.report(
                "secret_file", "secret_file \(path): others may read it", suggestion: "run: chmod o= \(path)")
        }
        reader.finish(hints: [
            "secret": "a secret does not stand in this file: use secret_file, secret_env or secret_credential"
        ])
    }
}
