// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import GlimpseClient
import Hummingbird
import JSONLines

/// `GET /api/pipelines`, and the commands about one pipeline.
struct PipelineRoutes: Sendable {
    private struct Status: Decodable {
        struct Pipeline: Decodable {
            var name: String
        }

        var pipelines: [Pipeline]
    }

    /// The commands that the page may give.
    static let commands = ["pause", "resume", "restart", "focus", "snapshot", "search"]

    let control: ControlClient
    let allowsCommands: Bool

    /// The daemon's `status` with the places in each pipeline's picture.
    func list() async throws -> Response {
        do {
            return .json(try await control.ask(Self.statusRequest))
        } catch let problem as ControlClient.Problem {
            return .problem(problem)
        }
    }

    /// Gives a command. A request with a session's cookie must have an `Origin`, which the gate has compared.
    func command(_ request: Request, _ context: WebContext) async throws -> Response {
        guard allowsCommands else { return .problem(.forbidden, "commands are disabled; set commands = true") }
        guard context.hasToken || request.headers[.origin] != nil else {
            return .problem(.forbidden, "a command needs an Origin or the token")
        }
        guard let name = context.parameters.get("name"), let command = context.parameters.get("command"),
            Self.commands.contains(command)
        else { return .problem(.notFound, "the commands are: \(Self.commands.joined(separator: ", "))") }
        let query = request.uri.queryParameters
        var json = JSONWriter()
        json.object { json in
            json.object(dynamicKey: command) { json in
                json.member("pipeline", name)
                guard command == "focus" else { return }
                if let detector = query.get("detector") { json.member("detector", detector) }
                if let track = query.get("id") { json.member("id", track) }
            }
        }
        do {
            return .json(try await control.ask(json.bytes))
        } catch let problem as ControlClient.Problem {
            return await response(to: problem, about: name)
        }
    }

    /// A refusal is 404 if the daemon has no pipeline of this name.
    func response(to problem: ControlClient.Problem, about name: String) async -> Response {
        guard case .refused(let reason) = problem,
            let line = try? await control.ask(Self.statusRequest),
            let status = try? JSONDecoder().decode(Status.self, from: Data(line)),
            !status.pipelines.contains(where: { $0.name == name })
        else { return .problem(problem) }
        return .problem(.notFound, reason)
    }

    private static let statusRequest = Array(#"{"status":{"layout":true}}"#.utf8)
}
