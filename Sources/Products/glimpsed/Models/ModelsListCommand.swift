import ArgumentParser
import Installation
import ModelCatalog

struct ModelsListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The catalogue, and what of it is installed.",
        discussion: """
            Best first: model = "auto" takes the first of its kind that is installed.

            Examples:
              glimpsed models list
              glimpsed models list --json | jq 'select(.installed) | .name'

            Exit status: 0, 78 when there is no catalogue.
            """)

    @OptionGroup var options: ModelOptions

    @Flag(help: "One line of JSON for each model, on standard output.")
    var json = false

    func run() throws {
        let library = try options.library()
        if json {
            for entry in library.catalog.entries { try StandardOutput.write(entry.line(in: library)) }
        } else {
            for line in ModelTable(library: library).lines { say(line) }
        }
    }
}
