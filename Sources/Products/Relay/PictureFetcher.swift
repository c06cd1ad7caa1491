// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import JSONLines
import Synchronization

/// Fetches stored pictures from the daemon's control socket, one at a time. Any thread may use it.
final class PictureFetcher: Sendable {
    /// The largest picture in bytes. Many brokers refuse larger messages.
    private static let largest = 1 << 20

    private struct State {
        /// The file to fetch for each pipeline. A newer file takes the place of an older one.
        var files: [String: String] = [:]
        /// By the name of the pipeline.
        var fetched: [String: [UInt8]] = [:]
    }

    private let state = Mutex(State())
    /// One signal waits at most: it stands for all files.
    private let signals = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    func want(_ file: String, of pipeline: String) {
        state.withLock { $0.files[pipeline] = file }
        signals.continuation.yield()
    }

    /// The pictures since the last call, by pipeline.
    func takeFetched() -> [String: [UInt8]] {
        state.withLock { state in
            defer { state.fetched = [:] }
            return state.fetched
        }
    }

    /// Fetches until the task is cancelled. Only one task may call this.
    func run(_ destination: Destination) async {
        let control = ControlClient(path: destination.context.daemonControl)
        for await _ in signals.stream {
            while let (pipeline, file) = next() {
                do {
                    let picture = try await Self.fetch(file, control)
                    state.withLock { $0.fetched[pipeline] = picture }
                    destination.wake.signal()
                } catch {
                    destination.complain("no picture of pipeline \(pipeline): \(Self.text(error))")
                }
            }
        }
    }

    private func next() -> (pipeline: String, file: String)? {
        state.withLock { state in
            guard let (pipeline, file) = state.files.popFirst() else { return nil }
            return (pipeline, file)
        }
    }

    private static func fetch(_ file: String, _ control: ControlClient) async throws -> [UInt8] {
        var json = JSONWriter()
        json.object { $0.object("picture") { $0.member("file", file) } }
        let request = json.bytes
        return try await within(control.patience) { try await control.bytes(request, most: largest) }
    }

    private static func text(_ error: any Error) -> String {
        switch error {
        case ControlClient.Problem.refused(let reason), ControlClient.Problem.absent(let reason): reason
        default: "\(error)"
        }
    }
}
