// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct SearchCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Control a pipeline's live search.",
        discussion: """
            The worker applies a command at its next frame. Search lines of the event stream show the result. The log reports \
            a command that the state of the search does not allow.

            Examples:
              glimpsed search start shelf
              glimpsed search select shelf 12
              glimpsed search result shelf 1.3 --id 4006 --title "Mineral water"

            Exit status: 0 the worker received the command, 1 the daemon refused the command, 69 no daemon is running.
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
        commandName: "start", abstract: "Search the confirmed object (auto = false).",
        discussion: "Example:\n  glimpsed search start shelf")
    static let request = "search"

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String
}

struct SearchDismiss: PlainSearchCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss", abstract: "Dismiss the search or its result, and look for the next object.",
        discussion: "Example:\n  glimpsed search dismiss shelf")
    static let request = "dismiss"

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String
}

struct SearchRetry: PlainSearchCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Repeat a failed search.",
        discussion: "Example:\n  glimpsed search retry shelf")
    static let request = "retry"

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String
}

struct SearchSelect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "select", abstract: "Confirm a track as if it were on the reticle.",
        discussion: "Example:\n  glimpsed search select shelf 12")

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String
    @Argument(help: "The track's id from its event lines.") var id: String

    func run() throws {
        _ = try options.command(ControlRequestLine("select", ["pipeline": pipeline, "id": id]))
        say("\(pipeline): select \(id)")
    }
}

struct SearchResultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "result", abstract: "Answer a search (engine = \"subscriber\").",
        discussion: """
            --id gives one result, and --error reports a failure. Without either, the search found nothing.

            Examples:
              glimpsed search result shelf 1.3 --id 4006 --title "Mineral water"
              glimpsed search result shelf 1.3 --error "the server of the shop is down"
            """)

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String
    @Argument(help: "The search's id from its event lines.") var search: String
    @Option(help: "The result's id.") var id: String?
    @Option(help: "The result's title for people. Default: the id.") var title: String?
    @Option(help: "The result's confidence, 0 to 1.") var confidence = 1.0
    @Option(help: "The path or address of the result's picture.") var picture: String?
    @Option(help: "The reason why the search failed.") var error: String?

    func validate() throws {
        if error != nil, id != nil { throw ValidationError("--error and --id exclude each other") }
        if id == nil, title != nil || picture != nil { throw ValidationError("--title and --picture require --id") }
        guard (0...1).contains(confidence) else { throw ValidationError("--confidence requires a number from 0 to 1") }
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
