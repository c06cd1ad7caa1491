// SPDX-License-Identifier: Apache-2.0
@testable import Conformance
import EventLines
import GlimpseTesting
import Observations
import Testing

/// Kinds that are not built in.
@Suite struct KindTests {
    @Test(arguments: ["plate", "a", "x_1", "licence_plate_of_a_long_vehicle0"])
    func namesOfKindsAreAccepted(name: String) {
        let kind = FeatureKind(rawValue: name)
        #expect(kind?.rawValue == name && kind?.isBuiltIn == false && TextForm.kind.fits(name))
    }

    @Test(
        arguments: [
            "", "Plate", "1st", "_x", "a-b", "a b", "é", "box", "track", "stages_us",
            "licence_plate_of_a_long_vehicle_1",
        ])
    func otherNamesAreNoKinds(name: String) { #expect(FeatureKind(rawValue: name) == nil) }

    @Test func theKindsOfRandomTextsAreThoseOfThePattern() throws {
        var random = SeededRandom(seed: 20)
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...34, using: &random)
            let text = String(
                decoding: (0..<length).map { _ in "az09_-A\u{e9}".utf8.randomElement(using: &random)! }, as: UTF8.self)
            let isKind = try #/[a-z][a-z0-9_]{0,31}/#.wholeMatch(in: text) != nil
            #expect((FeatureKind(rawValue: text) != nil) == isKind, "\(text)")
            #expect(TextForm.kind.fits(text) == isKind, "\(text)")
        }
    }

    @Test func builtInKindsAreNoCustomOnes() {
        for kind in FeatureKind.builtIn { #expect(FeatureKind(rawValue: kind.rawValue) == kind && kind.isBuiltIn) }
    }

    /// A kind is a member's name in lines about a track: it must be no other member's.
    @Test func everyFieldOfALineAboutATrackIsReserved() {
        let items = Set(FeatureKind.builtIn.map(\.rawValue))
        let shapes = [StreamSchema.present, StreamSchema.missing, StreamSchema.completed, StreamSchema.aboutATrack]
        let fields = Set((shapes + [StreamSchema.envelope]).flatMap { $0.shapes.map(\.key) }).subtracting(items)
        #expect(fields.subtracting(FeatureKind.fields) == [] && FeatureKind.fields.subtracting(fields) == [])
    }

    @Test func attributesAreAnObjectOfBoundedLength() throws {
        func feature(_ json: String) throws -> CustomFeature { try CustomFeature(kind: .plate, json: Array(json.utf8)) }
        let plate = try feature(#" {"value": "AB 1\u0001","score": 0.25, "list": [1, null, {"b":2,"a":1}]} "#)
        #expect(plate.attributes == #"{"list":[1,null,{"a":1,"b":2}],"score":0.25,"value":"AB 1\u0001"}"#)
        #expect(plate.value == "AB 1\u{1}")
        #expect(try feature("{}").value == nil)
        #expect(try feature(#"{"value": 7}"#).value == nil)
        for json in ["", "[]", "7", "{", "{}{}", #"{"a": NaN}"#, "\u{0}"] {
            #expect(throws: CustomFeature.Problem.notAnObject, "\(json)") { try feature(json) }
        }
        let most = CustomFeature.mostAttributeBytes
        let long = String(repeating: "x", count: most)
        #expect(try feature(#"{"a":"\#(long.dropLast(8))"}"#).attributes.utf8.count == most)
        #expect(throws: CustomFeature.Problem.tooLong(bytes: most + 1)) {
            try feature(#"{"a":"\#(long.dropLast(7))"}"#)
        }
        // A byte of a control character becomes six.
        #expect(throws: CustomFeature.Problem.self) {
            try CustomFeature(kind: .plate, attributes: ["a": String(repeating: "\u{1}", count: most / 3)])
        }
        #expect(throws: CustomFeature.Problem.kindIsBuiltIn(.face)) { try CustomFeature(kind: .face) }
    }

    @Test func randomAttributesAreOneLineOfJSONOrRefused() {
        var random = SeededRandom(seed: 21)
        let pieces = [
            "{", "}", "[", "]", ":", ",", "\"a\"", "\"value\"", "1", "-", "1e9", "null", "\\", "\n", "\u{ff}",
            "\"\\ud800\"",
        ]
        var accepted = 0
        for _ in 0..<20_000 {
            let json = (0...Int.random(in: 0...9, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            guard let feature = try? CustomFeature(kind: .plate, json: Array(json.utf8)) else { continue }
            accepted += 1
            #expect(!feature.attributes.contains("\n"))
            #expect(try! CustomFeature(kind: .plate, json: Array(feature.attributes.utf8)) == feature)
        }
        #expect(accepted > 0)
    }
}
