// SPDX-License-Identifier: Apache-2.0
import Testing
import Web

@Suite struct SessionsTests {
    @Test func aLinkBeginsOneSession() throws {
        let sessions = Sessions(token: "0123456789abcdef")
        let code = sessions.makeLink()
        #expect(code.utf8.count == 64 && sessions.begin(code: code + "0") == nil)
        let secret = try #require(sessions.begin(code: code))
        #expect(sessions.begin(code: code) == nil, "a link works once")
        #expect(sessions.isSession(secret) && !sessions.isSession(code) && !sessions.isSession(""))
    }

    @Test func linksAndSessionsEnd() throws {
        let sessions = Sessions(token: "0123456789abcdef")
        let now = ContinuousClock.now
        let old = sessions.makeLink(now: now)
        #expect(sessions.begin(code: old, now: now + .seconds(301)) == nil)
        let secret = try #require(sessions.begin(code: sessions.makeLink(now: now), now: now))
        #expect(sessions.isSession(secret, now: now + .seconds(6 * 86_400)))
        #expect(sessions.isSession(secret, now: now + .seconds(12 * 86_400)), "use prolongs a session")
        #expect(!sessions.isSession(secret, now: now + .seconds(20 * 86_400)))
    }

    @Test func oldLinksAndSessionsGiveWay() throws {
        let sessions = Sessions(token: "0123456789abcdef")
        let first = sessions.makeLink()
        for _ in 0..<16 { _ = sessions.makeLink() }
        #expect(sessions.begin(code: first) == nil)
        let secrets = (0..<257).compactMap { _ in sessions.begin(code: sessions.makeLink()) }
        #expect(secrets.count == 257 && !sessions.isSession(secrets[0]) && sessions.isSession(secrets[256]))
    }

    @Test func onlyTheWholeTokenIsTheToken() {
        let sessions = Sessions(token: "0123456789abcdef")
        #expect(sessions.isToken(authorization: "Bearer 0123456789abcdef"))
        #expect(sessions.isToken(authorization: "bearer 0123456789abcdef"))
        for text in [
            nil, "", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0", "0123456789abcdef",
        ] {
            #expect(!sessions.isToken(authorization: text), "\(text ?? "nil")")
        }
        #expect(!Sessions(token: nil).isToken(authorization: "Bearer "))
    }
}
