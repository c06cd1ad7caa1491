// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import ModelCatalog
import Testing

@testable import Settings

struct ModelCatalogTests {
    static let smallest = """
        [mine]
        kind = "object"
        network.file = "mine.onnx"
        input = { width = 320, height = 320 }
        decoder.type = "nanodet"
        """

    @Test
    func aShortCatalogueEntryHasDefaults() throws {
        let entry = try #require(try ModelCatalog.parse(Self.smallest).entries.first)
        #expect(
            entry
                == ModelEntry(
                    name: "mine", kind: .object, network: ModelFile(name: "mine.onnx"),
                    input: ModelInput(width: 320, height: 320),
                    decoder: .nanodet(strides: [8, 16, 32], bins: 7, overlap: 0.6)))
    }

    @Test
    func everyKeyOfACatalogueEntryIsRead() throws {
        let text = """
            ["v.2"]
            kind = "object"
            gives = "two classes"
            licence = "MIT"
            accuracy = "AP 1.0"
            verified = false
            network = { file = "v2.xml", url = "https://host/a.xml", bytes = 5, sha256 = "\(String(repeating: "A", count: 64))" }
            weights.url = "http://host/v2.bin?raw=true"
            labels.list = ["cat", "dog"]
            [ "v.2".input ]
            width = 64
            height = 96
            multiple_of = 32
            colour = "rgb"
            layout = "nhwc"
            resize = "letterbox"
            anchor = "centre"
            padding = 114
            mean = [1, 2.5, 3]
            scale = 255
            [ "v.2".decoder ]
            type = "ssd"
            form = "boxes-scores"
            background = "none"
            overlap = 0.25
            """
        let catalog = try ModelCatalog.parse(text)
        #expect(
            catalog["v.2"]
                == ModelEntry(
                    name: "v.2", kind: .object, gives: "two classes", licence: "MIT", accuracy: "AP 1.0",
                    verified: false,
                    network: ModelFile(
                        name: "v2.xml", url: "https://host/a.xml", bytes: 5, sha256: String(repeating: "a", count: 64)),
                    weights: ModelFile(name: "v2.bin", url: "http://host/v2.bin?raw=true"),
                    input: ModelInput(
                        width: 64, height: 96, multipleOf: 32, colour: .rgb, layout: .nhwc,
                        resize: .letterbox(.centre, padding: 114), mean: [1, 2.5, 3], scale: [255, 255, 255]),
                    decoder: .ssd(.boxesAndScores, background: .none, overlap: 0.25),
                    labels: .list(["cat", "dog"])))
    }

    @Test
    func theCatalogueExampleOfTheDocumentationIsValid() throws {
        let page = try String(contentsOf: repository.appending(path: "docs/reference/models.md"), encoding: .utf8)
        let example = try #require(page.components(separatedBy: "```toml\n").dropFirst().first)
        let text = try #require(example.components(separatedBy: "```").first)
        #expect(try ModelCatalog.parse(text).entries(of: .object).map(\.name) == ["bottles"])
    }

    /// The shipped catalogue pins every file of a verified model by commit, size and hash.
    @Test
    func theShippedCataloguePinsEveryFile() throws {
        let catalog = try ModelCatalog.load(file: repository.appending(path: "models/catalog.toml").path)
        #expect(catalog.entries(of: .face).map(\.name) == ["yunet_n_640_640", "yunet_s_640_640"])
        #expect(catalog.entries(of: .object).map(\.name) == ["yolox_nano", "fastestdet"])
        #expect(catalog.entries(of: .classifier).filter(\.verified).map(\.name) == ["shufflenet_v2", "squeezenet"])
        #expect(catalog.entries.filter { !$0.isDownloadable }.map(\.name) == ["shufflenet_v2"])
        #expect(catalog["shufflenet_v2"]?.input.resize == .crop(shortSide: 256))
        var files: [String: ModelFile] = [:]
        for entry in catalog.entries {
            #expect(!entry.licence.isEmpty && !entry.gives.isEmpty)
            // No publication says how well the inner values of a classifier distinguish pictures.
            #expect((entry.accuracy == nil) == (entry.kind == .embedding), "\(entry.name)")
            for file in entry.files {
                if let url = file.url {
                    let commit = url.split(separator: "/").filter { $0.count == 40 }
                    #expect(commit.count == 1, "\(file.name) names one commit")
                }
                #expect(files[file.name, default: file] == file, "one name, one file")
                files[file.name] = file
                if entry.verified { #expect(file.bytes != nil && file.sha256 != nil) }
            }
        }
    }

    @Test(arguments: [
        ("kind = \"objet\"", "did you mean \"object\"?"),
        ("network.fil = \"x\"", "unknown key \"fil\"; did you mean \"file\"?"),
        ("network.file = \"../x\"", "begin with a letter or digit"),
        ("network.url = \"ftp://host/x\"", "must be an http:// or https:// address"),
        ("network.sha256 = \"12\"", "must be 64 hexadecimal digits"),
        ("input.mean = [1, 2]", "must be a number or three, not 2"),
        ("input.scale = 0", "scale must be 1e-06 to 1000000"),
        ("input.anchor = \"centre\"", "anchor applies only to resize = \"letterbox\""),
        ("input.short_side = 400", "short_side applies only to resize = \"crop\""),
        ("input.multiple_of = 32", "width and height must be multiples of multiple_of"),
        ("decoder.type = \"softmax\"", "takes one of the decoders \"yolox\", \"fastestdet\", \"ssd\", \"nanodet\""),
        ("decoder.bins = 7", "unknown key \"bins\""),
        ("labels = { list = [\"a\"], file = \"b\" }", "file does not apply where labels are a list"),
        ("weights.file = \"x.bin\"", "apply only to a network that is an .xml file"),
        ("licens = \"MIT\"", "unknown key \"licens\"; did you mean \"licence\"?"),
    ])
    func aCatalogueErrorNamesThePlaceAndTheRemedy(line: String, message: String) {
        let key = String(line.prefix { $0 != " " })
        var rows = [
            "kind = \"object\"", "network.file = \"m.onnx\"", "input.width = 300", "input.height = 300",
            "decoder.type = \"yolox\"",
        ]
        rows.removeAll { $0.hasPrefix(key + " ") }
        let text = (["[m]"] + rows + [line]).joined(separator: "\n")
        let problems = catalogueProblems(text)
        #expect(problems.count == 1)
        #expect(problems.first?.contains(message) == true, "\(problems)")
        #expect(problems.first?.hasPrefix("models.toml:\(rows.count + 2): [m") == true, "\(problems)")
    }

    /// Boxes of a cropped picture would have to be moved. A face is already cropped.
    @Test
    func aCropIsRefusedForAModelOfBoxes() {
        let problems = catalogueProblems(
            Self.smallest.replacing("height = 320", with: "height = 320, resize = \"crop\""))
        #expect(problems.count == 1)
        #expect(problems.first?.contains("is for models of the kinds classifier and embedding") == true, "\(problems)")
    }

    @Test
    func aMissingKeyOfAModelIsNamed() {
        #expect(
            catalogueProblems("[m]\nkind = \"face\"") == [
                "models.toml:1: [m] there is no table [m.network]; it says: its file, or its url",
                "models.toml:1: [m] there is no table [m.input]; it says: width, height, colour, ...",
                "models.toml:1: [m] there is no table [m.decoder]; it says: type = \"yolox\"",
            ])
        #expect(catalogueProblems("[\"a/b\"]").first?.contains("model's name \"a/b\" must be") == true)
    }

    @Test
    func theFirstCatalogueWithAModelWins() throws {
        var own = try ModelCatalog.parse(Self.smallest)
        own.add(try ModelCatalog.parse(Self.smallest.replacing("mine.onnx", with: "theirs.onnx")).entries)
        #expect(own.entries.map(\.network.name) == ["mine.onnx"])
    }

    private func catalogueProblems(_ text: String) -> [String] {
        do throws(ConfigurationErrors) {
            _ = try ModelCatalog.parse(text, file: "models.toml")
            return []
        } catch {
            return error.errors.map(\.description)
        }
    }
}
