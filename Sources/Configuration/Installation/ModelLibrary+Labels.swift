// SPDX-License-Identifier: Apache-2.0
import ModelCatalog
import Settings

extension ModelLibrary {
    /// The names of a model's classes, by index; empty when it has none.
    package func labels(of entry: ModelEntry) throws(ModelMissing) -> [String] {
        switch entry.labels {
        case .none: return []
        case .list(let labels): return labels
        case .file(let file, let format):
            guard let path = path(of: file) else {
                throw ModelMissing("the labels \(file.name) are not installed", install: entry.name)
            }
            do throws(ConfigurationErrors) {
                return format.labels(of: String(decoding: try BoundedFile.bytes(of: path), as: UTF8.self))
            } catch {
                throw ModelMissing("labels: \(error)")
            }
        }
    }
}

extension ModelLabels.Format {
    /// A label for each line that is not empty at the end of the text.
    func labels(of text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        while let last = lines.last, last.isEmpty { lines.removeLast() }
        return lines.map { line in
            switch self {
            case .lines: String(line)
            case .synset:
                // n01440764 tench, Tinca tinca
                Self.displayText(String(line.drop { $0 != " " }.dropFirst().prefix { $0 != "," }))
            }
        }
    }

    /// Neutral words for the classes whose first name is rude.
    private static func displayText(_ name: String) -> String {
        switch name {
        case "cock": "rooster"
        case "nipple": "bottle teat"
        case "Eskimo dog": "husky"
        case "titi": "titi monkey"
        default: name
        }
    }
}
