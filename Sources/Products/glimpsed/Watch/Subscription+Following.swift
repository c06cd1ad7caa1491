// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import GlimpseClient

extension Subscription {
    /// Passes events on for ever, from the first `hello` on.
    ///
    /// - Throws: exit status 69 without a daemon, 1 when the daemon rejects this user or the request; the reason is on
    ///   standard error.
    func follow(whenRefused: () -> Void = {}, _ pass: (Event) throws -> Void) async throws {
        var hasBeenConnected = false
        var refusal = ""
        for await event in self {
            switch event.content {
            case .hello: hasBeenConnected = true
            case .refused(let reason) where hasBeenConnected: refusal = reason
            case .refused(let reason):
                say("glimpsed: \(socket): \(reason)")
                throw ExitCode.failed
            case .disconnected(let lost) where !hasBeenConnected: throw noDaemon(lost)
            default: break
            }
            try pass(event)
        }
        whenRefused()
        say("glimpsed: \(socket): \(refusal)")
        throw ExitCode.failed
    }

    /// Reports the error with advice.
    private func noDaemon(_ lost: Disconnection) -> ExitCode {
        do {
            _ = try DaemonConnection(socket)
            say("glimpsed: \(socket): \(lost.reason)")
        } catch {
            say("glimpsed: \(error)")
        }
        return lost.isForbidden ? .failed : .unavailable
    }
}
