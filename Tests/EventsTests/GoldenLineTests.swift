import Events
import GlimpseTesting
import Observations
import Testing

/// The lines as they are: fields, order, numbers. A change here is a change of the stream.
@Suite struct GoldenLineTests {
    private func line(_ make: (inout SampleEvents) -> EncodedEvent, tags: [String: String] = [:]) -> String {
        var events = SampleEvents(pipeline: "door", tags: tags)
        return String(decoding: make(&events).line, as: UTF8.self)
    }

    @Test func dump() {
        print(line { $0.track(.detected, .face, id: 7, frame: 2) }, terminator: "")
        print(line { $0.track(.update, .barcode, id: 7, frame: 2) }, terminator: "")
        print(line { $0.track(.missing, .object, id: 7, frame: 2) }, terminator: "")
        print(line { $0.track(.missing, .face, id: 7, frame: 2) }, terminator: "")
        print(line { $0.track(.completed(.endOfStream), .barcode, id: 7, frame: 2) }, terminator: "")
        print(line({ $0.source(.lost, error: "gone") }, tags: ["b": "2", "a": "1"]), terminator: "")
        print(line { $0.detector("face", operational: false, reason: "no model") }, terminator: "")
    }
}
