import ArgumentParser

struct SearchCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Command a pipeline's live search.",
        discussion: """
            The worker takes a command with its next frame; search lines of the event stream show what becomes of it, \
            and the log what does not fit the search's state.

            Examples:
              glimpsed search start shelf
              glimpsed search select shelf 12
              glimpsed search result shelf 1.3 --id 4006 --title "Mineral water"

            Exit status: 0 when the worker was told, 1 when it cannot be, 69 when there is no daemon.
            """,
        subcommands: [
            SearchStart.self, SearchDismiss.self, SearchRetry.self, SearchSelect.self, SearchResultCommand.self,
        ])
}

private protocol PlainSearchCommand: ParsableCommand {
    static var request: String { get }
    var options: ControlOptions { get }
    var pipeline: String { get }
}

extension PlainSearchCommand {
    func run() throws {
        _ = try options.command(ControlRequestLine(Self.request, ["pipeline": pipeline]))
        say("\(pipeline): \(Self.request)")
    }
}

struct SearchStart: PlainSearchCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Search what is confirmed (auto = false).")
    static let request = "search"

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String
}

struct SearchDismiss: PlainSearchCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss", abstract: "Leave what is searched or shown, and look again.")
    static let request = "dismiss"

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String
}

struct SearchRetry: PlainSearchCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Search the same thing again after a failure.")
    static let request = "retry"

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String
}

struct SearchSelect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "select", abstract: "Take a track as if it were on the reticle.")

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String
    @Argument(help: "The track's id, as events give it.") var id: String

    func run() throws {
        _ = try options.command(ControlRequestLine("select", ["pipeline": pipeline, "id": id]))
        say("\(pipeline): select \(id)")
    }
}

struct SearchResultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "result", abstract: "Answer a search (engine = \"subscriber\").",
        discussion: "One result, or with --error a failure; without either, nothing was found.")

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String
    @Argument(help: "The search's id, as its lines give it.") var search: String
    @Option(help: "The result's id.") var id: String?
    @Option(help: "For people. Default: the id.") var title: String?
    @Option(help: "0 to 1.") var confidence = 1.0
    @Option(help: "A picture's path or address.") var picture: String?
    @Option(help: "Why the search failed.") var error: String?

    func validate() throws {
        if error != nil, id != nil { throw ValidationError("--error and --id do not go together") }
        if id == nil, title != nil || picture != nil { throw ValidationError("a result needs an --id") }
        guard (0...1).contains(confidence) else { throw ValidationError("--confidence is from 0 to 1") }
    }

    func run() throws {
        let request = ControlRequestLine("result") { json in
            json.member("pipeline", pipeline)
            json.member("search", search)
            if let error { return json.member("error", error) }
            json.array("results") { json in
                guard let id else { return }
                json.object { json in
                    json.member("id", id)
                    if let title { json.member("title", title) }
                    json.member("confidence", Float(confidence))
                    if let picture { json.member("picture", picture) }
                }
            }
        }
        _ = try options.command(request)
        say("\(pipeline): result \(search)")
    }
}
