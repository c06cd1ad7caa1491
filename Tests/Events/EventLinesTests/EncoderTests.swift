// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import Foundation
import GlimpseTesting
import Observations
import SHA2
import Testing

@testable import BarcodeValues
@testable import EventLines

@Suite struct EncoderTests {
    private let corners = Quadrilateral(
        topLeft: Point(x: 1, y: 2), topRight: Point(x: 3, y: 2), bottomRight: Point(x: 3, y: 4),
        bottomLeft: Point(x: 1, y: 4))

    private func event(_ phase: TrackPhase, _ content: Detection.Content, box: Box? = nil) -> TrackEvent {
        var event = SampleEvents.trackEvent(phase, .face, id: 9, frame: 3)
        event.track.detection.content = content
        event.track.kind = event.track.detection.kind
        if let box { event.track.box = box }
        return event
    }

    private func line(_ event: TrackEvent) -> [UInt8] {
        var encoder = EventEncoder(pipeline: PipelineIdentity(name: "door"))
        return encoder.encode(.track(event)).line
    }

    private func object(_ line: [UInt8]) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    }

    private func barcode(_ text: String?, _ bytes: [UInt8]? = nil, _ format: Barcode.Format = .qrCode)
        -> Detection.Content
    {
        .barcode(Barcode(format: format, raw: text, bytes: bytes ?? Array((text ?? "").utf8), corners: corners))
    }

    // MARK: Length

    @Test func theLargestQRCodeFitsInALine() throws {
        let digits = String(repeating: "0123456789", count: 709).prefix(7089)
        let line = line(event(.completed(.gone), barcode(String(digits))))
        #expect(line.count <= EventEncoder.maximumLineBytes)
        let object = try object(line)
        for key in ["last", "barcode"] {
            let item = try #require(object[key] as? [String: Any])
            #expect(item["raw"] as? String == String(digits))
            #expect(item["truncated"] == nil)
        }
    }

    @Test func controlCharactersOfAPayloadStandOnceInCompletedLines() throws {
        let text = String(repeating: "\u{1}", count: 2953)
        let line = line(event(.completed(.gone), barcode(text)))
        #expect(line.count <= EventEncoder.maximumLineBytes)
        let object = try object(line)
        #expect((object["last"] as? [String: Any])?["raw"] as? String == text)
        #expect(object["barcode"] == nil)
    }

    @Test(arguments: [TrackPhase.detected, .update, .missing, .completed(.gone)])
    func aLineThatIsTooLongIsCut(phase: TrackPhase) throws {
        let bytes = [UInt8](repeating: 0x61, count: 100_000)
        let line = line(event(phase, barcode(String(repeating: "a", count: 100_000), bytes)))
        #expect(line.count <= EventEncoder.maximumLineBytes)
        let object = try object(line)
        let item = try #require(object[phase == .completed(.gone) ? "last" : "barcode"] as? [String: Any])
        #expect(item["truncated"] as? Bool == true)
        #expect(item["raw_bytes"] as? Int == 100_000)
        // sha256sum's digest of 100,000 times the letter a.
        #expect(item["raw_sha256"] as? String == "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee")
        #expect(item["raw_base64"] == nil)
        #expect((item["raw"] as? String)?.count == 2048)
    }

    @Test func longTextIsCutBetweenUnicodeScalars() {
        #expect("aé漢🙂".cut(toUTF8: 10) == "aé漢🙂")
        #expect("aé漢🙂".cut(toUTF8: 9) == "aé漢")
        #expect("aé漢🙂".cut(toUTF8: 5) == "aé")
        #expect("é".cut(toUTF8: 1) == "")
    }

    /// FIPS 180-4's examples and the lengths around a block's end.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "x", count: 55), "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"),
        (String(repeating: "x", count: 64), "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"),
    ])
    func sha256(message: String, digest: String) {
        #expect(SHA256.hexDigest(Array(message.utf8)) == digest)
    }

    // MARK: Values

    @Test(arguments: [
        (Barcode.Format.ean8, "96385074", "product"), (.ean13, "4006381333931", "product"),
        (.ean13, "9783161484100", "isbn"), (.ean13, "9790260000438", "product"), (.upcA, "036000291452", "product"),
        (.upcE, "04252614", "product"), (.code128, "9783161484100", "text"), (.qrCode, "hello", "text"),
        (.qrCode, "https://a.example/?q=1", "url"), (.aztec, "HTTP://A.EXAMPLE", "url"),
        (.qrCode, "httpsx://a", "text"),
        (.qrCode, "see http://a.example", "text"), (.ean13, "9783161484100 52250", "text"),
    ])
    func valueFormat(format: Barcode.Format, raw: String, expected: String) throws {
        let object = try object(line(event(.update, barcode(raw, nil, format))))
        let item = try #require(object["barcode"] as? [String: Any])
        #expect(item["value_format"] as? String == expected)
        #expect((item["url"] as? [String: String]) == (expected == "url" ? ["url": raw] : nil))
    }

    @Test func payloadBytesThatAreNotTextHaveNoRawMember() throws {
        let object = try object(line(event(.update, barcode(nil, [0xFF, 0x00]))))
        let item = try #require(object["barcode"] as? [String: Any])
        #expect(Set(item.keys) == ["format", "raw_base64", "orientation"])
        #expect(item["raw_base64"] as? String == "/wA=")
    }

    // MARK: Numbers

    @Test func linesOmitNumbersThatAreNotFinite() throws {
        let bad = Point(x: .nan, y: .infinity)
        let face = Face(
            landmarks: [.init(name: .leftEye, position: bad), .init(name: .rightEye, position: Point(x: 1, y: 2))],
            euler: .init(x: .nan, y: 1), smiling: .infinity)
        var broken = event(.update, .face(face))
        broken.track.velocity = bad
        broken.track.detection.confidence = .nan
        var symbol = Barcode(format: .qrCode, raw: "a", bytes: [97], corners: corners, orientation: .nan)
        symbol.corners.topLeft = bad
        let lines = [line(broken), line(event(.update, .barcode(symbol)))]
        for line in lines {
            let text = String(decoding: line, as: UTF8.self)
            #expect(!text.contains("nan") && !text.contains("inf"))
        }
        let object = try object(lines[0])
        #expect(object["velocity"] == nil && object["confidence"] == nil)
        let item = try #require(object["face"] as? [String: Any])
        #expect((item["landmarks"] as? [String: Any])?.keys.sorted() == ["right_eye"])
        #expect((item["euler"] as? [String: Double]) == ["y": 1])
        #expect(item["smiling"] == nil)
        #expect(try self.object(lines[1])["corners"] == nil)
    }

    @Test func boxesOfLinesAreClippedToThePicture() throws {
        let object = try object(line(event(.missing, .face(Face()), box: Box(x: -20, y: 700, width: 100, height: 100))))
        #expect(object["box"] as? [String: Double] == ["x": 0, "y": 700, "w": 80, "h": 20])
        let outside = try self.object(
            line(event(.missing, .face(Face()), box: Box(x: -200, y: 0, width: 100, height: 9))))
        #expect(outside["box"] == nil && outside["nbox"] == nil)
        #expect(outside["predicted"] as? Bool == true)
    }
}
