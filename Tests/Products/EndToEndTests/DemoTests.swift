// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// The first run of a new user, on a machine after set-up: a photographed face and three symbols become tracks.
@Suite struct DemoTests {
    @Test func theDemoGivesAllEventsOfAFaceAndThreeSymbolsWithinTenSeconds() throws {
        let result = Program.run(Program.built("glimpsed"), ["demo", "--source", "test:scene", "--json"])
        try #require(result.status == 0, "\(result)")
        let lines = result.lines
        #expect(try EventSchema.violations(in: lines.map { Array($0.utf8) }) == [])
        #expect(violation(in: lines.map { Array($0.utf8) }) == nil)
        struct Line: Decodable {
            struct Barcode: Decodable {
                var format: String
                var raw: String?
            }

            var type: String
            var kind: String?
            var barcode: Barcode?
        }
        let decoded = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        for type in ["detected", "update", "missing", "completed"] {
            let kinds = Set(decoded.filter { $0.type == type }.compactMap(\.kind))
            #expect(kinds == ["face", "barcode"], "\(type)")
        }
        let symbols = decoded.filter { $0.type == "detected" }.compactMap(\.barcode).map {
            "\($0.format) \($0.raw ?? "")"
        }
        #expect(
            Set(symbols) == [
                "ean_13 4006381333931", "qr_code https://glimpse.example/demo", "data_matrix GLIMPSE-DEMO-0042",
            ])
        // A terminal receives text, and one line at the end.
        #expect(result.errors.contains("seen: 3 barcodes, 1 face"), "\(result.errors)")
    }

    /// A camera sees objects; here a picture stands for the camera. Set-up installs an object model.
    @Test(.enabled(if: SharedData.has("media/images/face/astronaut.png"), "no shared data beside the checkout"))
    func theDemoDetectsObjectsWithAnInstalledModel() throws {
        let picture = SharedData.path("media/images/face/astronaut.png")
        let result = Program.run(Program.built("glimpsed"), ["demo", "--source", picture, "--json"])
        try #require(result.status == 0, "\(result)")
        let detected = result.lines.filter { $0.contains(#""type":"detected""#) }
        #expect(detected.contains { $0.contains(#""kind":"face""#) })
        #expect(detected.contains { $0.contains(#""kind":"object""#) && $0.contains(#""text":"person""#) }, "\(result)")
    }

    @Test func theDemoWithoutAModelDetectsTheFaceByCascade() throws {
        let scope = TestScope()
        scope.write("p.toml", "[source]\nkind = \"test\"\nframes = 75\n[face]\nmodel = \"cascade\"\n")
        let result = Program.run(Program.built("glimpsed"), ["pipeline", scope.path("p.toml")])
        try #require(result.status == 0, "\(result)")
        let tracks = result.lines.compactMap { Detected.TrackLine($0) }
        #expect(tracks.filter { $0.type == "detected" }.count == 1)
        #expect(tracks.filter { $0.type == "update" }.count > 20)
    }
}
