// SPDX-License-Identifier: Apache-2.0
import ModelCatalog

extension ModelEntry {
    /// nil only when an error has been reported.
    init?(_ reader: TableReader, name: String) {
        if ModelName.problem(of: name) != nil {
            reader.context.report(reader.path, "the model's name \(quoted(name)) \(ModelName.rule)")
        }
        let kind: ModelKind? = reader.required("kind", .choice(), example: "\"object\"")
        let network = reader.requiredTable("network", example: "its file, or its url").flatMap { ModelFile($0) }
        let weights = reader.table("weights").flatMap { ModelFile($0) }
        let input = reader.requiredTable("input", example: "width, height, colour, ...").flatMap { ModelInput($0) }
        let decoder = reader.requiredTable("decoder", example: "type = \"yolox\"").flatMap { ModelDecoder($0) }
        let labels = reader.table("labels").map { ModelLabels($0) }
        var (gives, licence, accuracy, verified) = ("", "", String?.none, true)
        reader.read("gives", .text, into: &gives)
        reader.read("licence", .text, into: &licence)
        reader.read("accuracy", .text, into: &accuracy)
        reader.read("verified", .boolean, into: &verified)
        reader.finish()
        guard let kind, let network, let input, let decoder else { return nil }
        if !kind.decoders.contains(decoder.name) {
            let names = kind.decoders.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            reader.report("decoder", "a model of kind \"\(kind.rawValue)\" takes one of the decoders \(names)")
        }
        if case .crop = input.resize, kind != .classifier, kind != .embedding {
            reader.report("input", "resize = \"crop\" is for models of the kinds classifier and embedding")
        }
        if weights != nil, FilePath.suffix(of: network.name) != "xml" {
            reader.report("weights", "weights apply only to a network that is an .xml file")
        }
        self.init(
            name: name, kind: kind, gives: gives, licence: licence, accuracy: accuracy, verified: verified,
            network: network, weights: weights, input: input, decoder: decoder, labels: labels ?? .none)
    }
}

extension ModelKind {
    fileprivate var decoders: [ModelDecoder.Name] {
        switch self {
        case .face: [.yunet]
        case .object: [.yolox, .fastestdet, .ssd, .nanodet]
        case .classifier, .faceAttribute: [.softmax, .logits]
        case .embedding: [.embedding]
        }
    }
}

/// The rules for names of models and their files. Names stand in paths and commands.
enum ModelName {
    static let rule = "must be 1 to 64 letters, digits, '.', '_' or '-' that begin with a letter or digit"

    static func problem(of name: String) -> ValueProblem? {
        let isAllowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        let isLeading = name.first.map { !"._-".contains($0) } ?? false
        guard isAllowed, isLeading, name.utf8.count <= 64 else { return .init("\(rule), not \(quoted(name))") }
        return nil
    }
}

extension TableReader {
    /// Like `table`, and reports an absent one.
    func requiredTable(_ key: String, example: String) -> TableReader? {
        if !has(key) {
            let header = dotted(path + [key])
            report(key, "there is no table [\(header)]", suggestion: "it says: \(example)")
        }
        return table(key)
    }
}
