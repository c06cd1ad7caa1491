// SPDX-License-Identifier: Apache-2.0
import Conformance
import Testing

@testable import GlimpseClient

/// The client imports no module of this package. Its keys are names of the line types all the same.
@Suite struct KeyTests {
    /// Where a form stands: the type of a line, then names of members.
    @Test(arguments: [
        ("error", LineForm.CodingKeys.names), ("hello", Hello.CodingKeys.names),
        ("hello.pipelines", Hello.Pipeline.CodingKeys.names),
        ("hello.pipelines.detectors", Hello.Detector.CodingKeys.names), ("state", State.CodingKeys.names),
        ("state.searches", State.Search.CodingKeys.names),
        ("gap", Gap.CodingKeys.names), ("source", Source.CodingKeys.names), ("detector", Detector.CodingKeys.names),
        ("config", Configuration.CodingKeys.names), ("frame", ProcessedFrame.CodingKeys.names),
        ("search", Search.CodingKeys.names), ("search.results", Search.Result.CodingKeys.names),
        ("search.hint", Search.Hint.CodingKeys.names), ("snapshot", Snapshot.CodingKeys.names),
        ("clip", Clip.CodingKeys.names),
        ("completed", TrackEvent.CodingKeys.names), ("completed.frame", TrackEvent.Frame.CodingKeys.names),
        ("completed.track", TrackEvent.TrackForm.CodingKeys.names), ("completed.box", Box.CodingKeys.names),
        ("completed.face", Face.CodingKeys.names), ("completed.face.euler", Face.Euler.CodingKeys.names),
        ("completed.object", Labels.CodingKeys.names), ("completed.object.labels", Labels.Label.CodingKeys.names),
        ("completed.barcode", Barcode.CodingKeys.names), ("zone", ZoneChange.CodingKeys.names),
        ("line", Crossing.CodingKeys.names),
    ])
    func keysAreNamesOfTheLineType(path: String, keys: Set<String>) throws {
        let members = try #require(Self.members(path))
        #expect(keys.subtracting(members.shapes.keys).subtracting(members.required) == [])
    }

    private static func members(_ path: String) -> Members? {
        let parts = path.split(separator: ".").map(String.init)
        return parts.dropFirst().reduce(StreamSchema.lines[parts[0]]) { members, name in
            members?.shapes[name].flatMap(self.members)
        }
    }

    private static func members(_ shape: Shape) -> Members? {
        switch shape {
        case .defined(let name): StreamSchema.definitions[name].flatMap(members)
        case .list(let element, _): members(element)
        case .object(let members): members
        default: nil
        }
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    fileprivate static var names: Set<String> { Set(allCases.map(\.rawValue)) }
}
