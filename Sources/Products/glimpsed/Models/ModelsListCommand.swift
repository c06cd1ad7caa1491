// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Installation
import ModelCatalog

struct ModelsListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the models of the catalogue and show which are installed.",
        discussion: """
            The best model of each kind comes first. model = "auto" selects the first installed model of its kind.

            Examples:
              glimpsed models list
              glimpsed models list --json | jq 'select(.installed) | .name'

            Exit status: 0 success, 78 no catalogue was found.
            """)

    @OptionGroup var options: ModelOptions

    @Flag(help: "Print one line of JSON for each model.")
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
