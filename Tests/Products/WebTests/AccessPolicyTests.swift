// SPDX-License-Identifier: Apache-2.0
import Testing
import Web

@Suite struct AccessPolicyTests {
    private func verdict(
        _ host: String?, origin: String? = nil, path: String = "/", method: String = "GET", token: Bool = false,
        isKnown: Bool = false
    ) -> AccessPolicy.Verdict {
        let policy = AccessPolicy(machine: "Kiosk", allowedHosts: ["glimpse.lan:443"], needsToken: token)
        return policy.verdict(on: .init(method: method, path: path, host: host, origin: origin, isKnown: isKnown))
    }

    @Test(arguments: [
        "localhost", "LOCALHOST:8420", "127.0.0.1:8420", "192.0.2.7", "[::1]:8420", "[fe80::1]", "kiosk",
        "kiosk.local:80",
        "glimpse.lan", "glimpse.lan:8443",
    ])
    func namesOfThisMachineAndAddressesAreItsOwn(host: String) {
        #expect(verdict(host) == .admitted)
    }

    @Test(arguments: [
        nil, "", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "1.2.3", "1.2.3.4.5", "1.2.3.256",
        "::evil", "glimpse.lan.evil.example", "evil.example:8420",
    ])
    func otherNamesAreRefused(host: String?) {
        #expect(verdict(host) == .wrongHost)
    }

    @Test func anOriginMustBeTheHost() {
        #expect(verdict("127.0.0.1:8420", origin: "http://127.0.0.1:8420") == .admitted)
        #expect(verdict("glimpse.lan", origin: "https://glimpse.lan") == .admitted)
        for origin in [
            "null", "", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:84200", "127.0.0.1:8420",
        ] {
            #expect(verdict("127.0.0.1:8420", origin: origin) == .wrongOrigin, "\(origin)")
        }
    }

    @Test func aTokenGuardsEverythingButHealthAndTheLink() {
        #expect(verdict("localhost", token: true) == .unknown)
        #expect(verdict("localhost", path: "/api/events", token: true) == .unknown)
        #expect(verdict("localhost", path: "/healthz", token: true) == .admitted)
        #expect(verdict("localhost", path: "/login", token: true) == .admitted)
        #expect(verdict("localhost", path: "/login", method: "POST", token: true) == .unknown)
        #expect(verdict("localhost", path: "/api/events", token: true, isKnown: true) == .admitted)
        #expect(verdict("evil.example", path: "/healthz", token: true, isKnown: true) == .wrongHost)
    }
}
