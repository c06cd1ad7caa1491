// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// The relay with a webhook in the place of the broker.
extension RelayBench {
    static let secret = "it is a secret"

    /// - Parameter more: more lines of `[[webhook]]`.
    func configureWebhook(_ url: String, _ more: String = "") {
        scope.write("secret", Self.secret + "\n")
        chmod(scope.path("secret"), 0o640)
        scope.write(
            "relay.toml",
            """
            events = "e.sock"
            control = "r.sock"
            state_dir = "relay"
            [[webhook]]
            name = "hook"
            url = "\(url)"
            secret_file = "secret"
            start = "oldest"
            batch_wait = "100ms"
            \(more)
            """)
    }

    /// The lines of these types in the daemon's journal until now, with the relay's rate of updates.
    func journal(_ types: Set<String>) throws -> [String] {
        let client = try SocketClient(scope.path("e.sock"))
        let last = (try client.next()?.next_seq ?? 1) - 1
        client.send(#"{"subscribe":{"update_hz":1000,"passive":true},"after":0}"#)
        var lines: [String] = []
        var sequence: UInt64 = 0
        while sequence < last, let text = try client.nextText() {
            let line = try StreamLine(Array(text.utf8))
            guard let number = line.seq else { continue }
            sequence = number
            if types.contains(line.type) { lines.append(text) }
        }
        return lines
    }

    /// The row of `glimpsed status` about the webhook; empty without a relay.
    var webhookRow: String { ask("status").first { $0.hasPrefix("  hook (webhook): ") } ?? "" }

    /// A certificate authority, and a certificate of it for `localhost`: `ca.pem`, `cert.pem`, `key.pem`.
    func makeCertificates() {
        let made = Program.run(
            "sh",
            [
                "-c",
                """
                cd \(scope.folder)
                openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem
                openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout key.pem -out cert.csr
                echo subjectAltName=DNS:localhost >extensions
                openssl x509 -req -in cert.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile extensions \
                    -out cert.pem
                """,
            ])
        #expect(made.status == 0, "\(made)")
    }
}

/// The events in the bodies of requests.
struct WebhookEvents {
    /// The positions of events in the order of their arrival.
    private(set) var order: [ReceivedEvent] = []
    /// The types of all elements, gaps included.
    private(set) var types: [String] = []

    init(_ bodies: [[UInt8]]) throws {
        for body in bodies {
            let elements = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]])
            #expect(!elements.isEmpty)
            for element in elements {
                types.append(element["type"] as? String ?? "")
                if let event = ReceivedEvent(element) { order.append(event) }
            }
        }
    }

    /// The positions without those that came before.
    var firsts: [ReceivedEvent] {
        var known: Set<ReceivedEvent> = []
        return order.filter { known.insert($0).inserted }
    }
}

extension ReceivedEvent {
    /// nil: the element has no position.
    init?(_ element: [String: Any]) {
        guard let run = element["run_id"], let sequence = element["seq"] else { return nil }
        self.init("\"run_id\":\"\(run)\",\"seq\":\(sequence),"[...])
    }
}
