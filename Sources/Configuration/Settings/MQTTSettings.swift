// SPDX-License-Identifier: Apache-2.0
import Observations

/// One `[[mqtt]]` of `relay.toml`: a broker, or the brokers of a cluster.
package struct MQTTSettings: DestinationSettings {
    /// `[A-Za-z0-9_-]+`; names the cursor's file and is part of the client id.
    package var name = ""
    package var types = ["detected", "completed", "zone", "line", "search", "snapshot", "clip", "source", "detector"]
    /// Lines per second of each track, of `update` and `missing`.
    package var updateRate = 1.0
    package var start = DestinationStart.now
    /// Names, or patterns with `*` and `?`; empty: all.
    package var pipelines: [String] = []
    /// Empty: all.
    package var kinds: Set<FeatureKind> = []
    /// Whether pipelines that run on demand run because of the relay.
    package var demand = false
    /// Tried in turn.
    package var addresses: [MQTTAddress] = []
    package var user: String?
    package var password: PasswordSource?
    /// Allows a password on a connection without encryption to another machine.
    package var insecure = false
    /// PEM files; nil: the system's certificates, and no certificate of the client.
    package var certificates: String?
    package var clientCertificate: String?
    package var clientKey: String?
    package var version = Version.auto
    package var prefix = "glimpse"
    /// MQTT 5: how long the broker keeps an event for an absent consumer.
    package var expiry = Duration.seconds(3600)
    /// The highest age of events on `live`.
    package var liveAge = Duration.seconds(30)
    package var discovery = Discovery.homeAssistant
    /// The first level of discovery topics.
    package var discoveryPrefix = "homeassistant"
    /// Whether the best pictures of tracks are published.
    package var pictures = false
    /// Messages per second while behind; 0: no limit.
    package var replayRate = 200

    package static let standard = Self()

    package enum Version: String, Sendable, CaseIterable {
        case auto
        case five = "5"
        case three = "3.1.1"
    }

    /// The program that finds the pipelines by itself.
    package enum Discovery: String, Sendable, CaseIterable {
        case homeAssistant = "homeassistant"
        case none = ""
    }
}

extension MQTTSettings: KeyedTable {
    package static let keys = destinationKeys(
        of: Self.init(
            name:types:updateRate:start:pipelines:kinds:demand:addresses:user:password:insecure:certificates:
            clientCertificate:clientKey:version:prefix:expiry:liveAge:discovery:discoveryPrefix:pictures:replayRate:),
        .init(
            "url", \.addresses, .brokerAddresses, .restart, required: #"such as url = "mqtts://broker:8883""#,
            "the broker's address; a list: the addresses of a cluster, tried in turn"),
        .init("user", optional: \.user, .nonEmptyText, .restart, "the user's name at the broker"),
        .secret("password", \.password),
        .init(
            "insecure", \.insecure, .boolean, .restart,
            "allows a user on an mqtt:// connection to another machine, which anybody on the way can read"),
        .init(
            "ca_file", optional: \.certificates, .file, .restart,
            "PEM file of the certificates that are trusted instead of the system's"),
        .init("cert_file", optional: \.clientCertificate, .file, .restart, "PEM file of the client's certificate"),
        .init("key_file", optional: \.clientKey, .file, .restart, "PEM file of the client's key"),
        .init(
            "protocol", \.version, .choice(), .restart, "`auto`: MQTT 5, then 3.1.1 with brokers that refuse it"),
        .init("prefix", \.prefix, .topicPrefix, .restart, "the first levels of every topic"),
        .init(
            "expiry", \.expiry, .duration(.seconds(1), to: .seconds(365 * 86_400)), .restart,
            "MQTT 5: how long the broker keeps an event for an absent consumer"),
        .init(
            "live_age", \.liveAge, .duration(.seconds(1), to: .seconds(3600)), .restart,
            "with `discovery`: the highest age of events on `live`"),
        .init("discovery", \.discovery, .choice(), .restart, "`homeassistant`: Home Assistant finds the pipelines"),
        .init("discovery_prefix", \.discoveryPrefix, .topicPrefix, .restart, "Home Assistant's discovery prefix"),
        .init("pictures", \.pictures, .boolean, .restart, "best pictures as retained JPEG"),
        .init(
            "replay_rate", \.replayRate, .integer(0...1_000_000), .restart,
            "messages a second while behind, or twice the rate of new events if that is more; 0: no limit"))

    init(_ reader: TableReader) {
        self = .standard
        decode(reader)
        let given = PasswordSource.check(reader, "password")
        if let given, user == nil { reader.report(given, "\(given) needs a user", suggestion: "add user") }
        if (clientCertificate == nil) != (clientKey == nil) {
            reader.report(
                clientKey == nil ? "cert_file" : "key_file", "cert_file and key_file need each other",
                suggestion: "give both")
        }
        if user != nil, !insecure, let open = addresses.first(where: { !$0.isEncrypted && !$0.isLoopback }) {
            reader.report(
                "url", "\(open.text) would send the password over the network as it is",
                suggestion: "use mqtts://, or set insecure = true")
        }
        reader.finish(hints: [
            "password": "a password does not stand in this file: use password_file, password_env or password_credential"
        ])
    }
}

extension ValueFormat<String> {
    fileprivate static var topicPrefix: Self {
        nonEmptyText.checked("topic") { text throws(ValueProblem) in
            let isTopic = !text.hasPrefix("/") && !text.hasSuffix("/") && !text.hasPrefix("$")
            guard isTopic, text.utf8.count <= 128, !text.contains(where: { "+#".contains($0) || $0.isNewline }) else {
                throw .init(
                    "must be a topic without + and #, not \(quoted(text))", suggestion: #"such as "site/glimpse""#)
            }
        }
    }
}

extension ValueFormat<[MQTTAddress]> {
    /// A string, or a list of strings.
    fileprivate static var brokerAddresses: Self {
        let write = { @Sendable (addresses: [MQTTAddress]) -> TOMLNode? in
            addresses.isEmpty ? nil : .array(addresses.map { .string($0.text) })
        }
        return .init("address, or list of addresses", write) { node throws(ValueProblem) in
            let nodes: [TOMLNode]
            if case .array(let list) = node { nodes = list } else { nodes = [node] }
            guard !nodes.isEmpty, nodes.count <= 16 else {
                throw .init("must be 1 to 16 addresses, not \(nodes.count)")
            }
            var addresses: [MQTTAddress] = []
            for node in nodes {
                guard case .string(let text) = node else { throw .wrongType("a string", node) }
                // The text is in no message: people put passwords into addresses.
                guard let address = MQTTAddress(text) else {
                    throw .init(
                        "must be an address such as mqtts://broker:8883",
                        suggestion: "a user and a password have keys of their own")
                }
                addresses.append(address)
            }
            return addresses
        }
    }
}
