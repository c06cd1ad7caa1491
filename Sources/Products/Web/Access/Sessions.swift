// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The token, the one-time links, and the sessions that links begin. Everything is forgotten when the program ends. Any
/// thread may use it.
package final class Sessions: Sendable {
    /// The number of links that wait to be used; an older link gives way.
    private static let mostLinks = 16
    /// The number of sessions; the one that was used longest ago gives way.
    private static let mostSessions = 256
    private static let linkLife = Duration.seconds(300)
    private static let sessionLife = Duration.seconds(7 * 86_400)

    private struct Stored {
        var secret: [UInt8]
        var time: ContinuousClock.Instant
    }

    private struct State {
        var links: [Stored] = []
        var sessions: [Stored] = []
    }

    private let token: [UInt8]?
    private let state = Mutex(State())

    package init(token: String?) {
        self.token = token.map { Array($0.utf8) }
    }

    package var needsToken: Bool { token != nil }

    /// Whether `Authorization` has the token.
    package func isToken(authorization: String?) -> Bool {
        guard let token, let authorization, authorization.lowercased().hasPrefix("bearer ") else { return false }
        return Self.areEqual(Array(authorization.utf8.dropFirst(7)), token)
    }

    /// The code of a new one-time link.
    package func makeLink(now: ContinuousClock.Instant = .now) -> String {
        let secret = Self.random()
        state.withLock { state in
            state.links.removeAll { now - $0.time > Self.linkLife }
            if state.links.count >= Self.mostLinks { state.links.removeFirst() }
            state.links.append(Stored(secret: Array(secret.utf8), time: now))
        }
        return secret
    }

    /// The secret of a new session for the code of a link; nil if the code is wrong, used, or too old.
    package func begin(code: String, now: ContinuousClock.Instant = .now) -> String? {
        let code = Array(code.utf8)
        return state.withLock { state in
            guard let index = state.links.firstIndex(where: { Self.areEqual($0.secret, code) }) else { return nil }
            guard now - state.links.remove(at: index).time <= Self.linkLife else { return nil }
            let secret = Self.random()
            if state.sessions.count >= Self.mostSessions,
                let oldest = state.sessions.indices.min(by: { state.sessions[$0].time < state.sessions[$1].time })
            {
                state.sessions.remove(at: oldest)
            }
            state.sessions.append(Stored(secret: Array(secret.utf8), time: now))
            return secret
        }
    }

    /// Whether a session has this secret. The session's life begins anew.
    package func isSession(_ secret: String, now: ContinuousClock.Instant = .now) -> Bool {
        let secret = Array(secret.utf8)
        return state.withLock { state in
            state.sessions.removeAll { now - $0.time > Self.sessionLife }
            guard let index = state.sessions.firstIndex(where: { Self.areEqual($0.secret, secret) }) else {
                return false
            }
            state.sessions[index].time = now
            return true
        }
    }

    /// 256 random bits in hexadecimal digits.
    private static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Compares in a time that depends on the lengths only.
    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
