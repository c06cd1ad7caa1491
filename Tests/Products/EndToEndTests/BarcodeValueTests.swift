// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Payloads are drawn as symbols and read by `glimpsed detect`. The output equals the examples of
/// `docs/reference/barcode-values.md` (`UPDATE_GOLDEN=1` rewrites them).
@Suite(.serialized) struct BarcodeValueTests {
    /// Symbology and payload; the first of each value format is the documentation's example.
    private static let payloads: [(format: String, text: String)] = [
        ("qr_code", "MECARD:N:Owen,Sean;TEL:+12125551212;EMAIL:srowen@example.com;ADR:76 9th Avenue,New York;;"),
        ("qr_code", "mailto:chris@example.com?subject=Hello&body=How%20are%20you"),
        ("ean_13", "9783161484100"),
        ("data_matrix", "tel:+1-201-555-0123"),
        ("ean_13", "4006381333931"),
        ("qr_code", "sms:+15105550101?body=hello%20there"),
        ("aztec", "GLIMPSE-0042"),
        ("qr_code", "MEBKM:TITLE:Glimpse;URL:http\\://glimpse.example/x;;"),
        ("qr_code", "WIFI:T:WPA;S:café;P:a\\;b\\\\c;H:true;;"),
        ("data_matrix", "geo:48.198634,16.371648;crs=wgs84;u=40"),
        (
            "qr_code",
            "BEGIN:VEVENT\r\nSUMMARY:Review\r\nDTSTART;TZID=Europe/Vienna:20270312T083000\r\nDURATION:PT1H\r\nEND:VEVENT\r\n"
        ),
        (
            "pdf417",
            "@\n\u{1e}\rANSI 636000090002DL00410278ZV03190008DLDAQT64235789\nDCSSAMPLE\nDACMICHAEL\nDADJOHN\nDBD06062019\nDBB06061986\nDBA12102024\nDBC1\nDAG2300 WEST BROAD STREET\nDAIRICHMOND\nDAJVA\nDAK232690000  \nDCGUSA\r"
        ),
        ("code_128", "\u{F1}01095011015300033103001750\u{F1}10AB-123\u{F1}17270700"),
        ("qr_code", "otpauth://totp/Example:alice@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Example"),
        (
            "qr_code",
            "BCD\n001\n1\nSCT\nBPOTBEB1\nRed Cross of Belgium\nBE72000000001616\nEUR1\nCHAR\n\nUrgency fund\nSample QR code"
        ),
        ("aztec", "M1DESMARAIS/LUC       EABC123 YULFRAAC 0834 226F001A0025 100"),
        // Other payloads of these formats.
        ("qr_code", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Jürgen Müller\r\nTEL;TYPE=cell:+49 170 1\r\nEND:VCARD\r\n"),
        ("qr_code", "bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?amount=0.5&label=Genesis"),
        ("data_matrix", "www.example.com/a"),
        ("upc_e", "04252614"),
        // Without an ECI, while PDF417 is drawn with one.
        ("data_matrix", "@\n\u{1e}\rANSI 636012100001DL00310100DLDAQS1234\nDCSTREMBLAY\nDBB19801231\nDCGCAN\r"),
    ]

    private let scope = TestScope()

    private func draw(_ format: String, _ text: String, _ number: Int) throws -> String {
        let path = scope.path("\(number).pgm")
        let drawn = Program.run(Program.built("glimpsed-worker"), ["symbol", format, text, "--output", path])
        try #require(drawn.status == 0, "\(drawn)")
        return path
    }

    private func detect(_ paths: [String], _ options: [String] = []) throws -> [String] {
        let result = Program.run(Program.built("glimpsed"), ["detect", "--barcode"] + options + paths)
        try #require(result.status == 0, "\(result)")
        return result.lines
    }

    /// The text between two marks of a line.
    private func part(_ line: String, after start: String, before end: String) -> String? {
        guard let from = line.range(of: start), let to = line.range(of: end, range: from.upperBound..<line.endIndex)
        else {
            return nil
        }
        return String(line[from.upperBound..<to.lowerBound])
    }

    @Test func barcodeExamplesOfTheDocumentationHaveTheShownValues() throws {
        let paths = try Self.payloads.enumerated().map { try draw($0.element.format, $0.element.text, $0.offset) }
        let lines = try detect(paths)
        try #require(lines.count == paths.count)
        var seen: Set<String> = []
        var table = ["| `value_format` | symbol | `raw` | typed object |", "|---|---|---|---|"]
        for (payload, line) in zip(Self.payloads, lines) {
            let value = try #require(part(line, after: #""value_format":""#, before: "\""), "\(line)")
            let raw = try #require(part(line, after: #""raw":"#, before: #","raw_base64""#))
            // FNC1 in first position is not data, the others are separators.
            let sent = payload.text.replacing("\u{F1}", with: "\u{1D}").drop { $0 == "\u{1D}" }
            #expect(try JSONDecoder().decode(String.self, from: Data(raw.utf8)) == String(sent))
            let object = part(line, after: #""value_format":"\#(value)","\#(value)":"#, before: #","orientation""#)
            guard seen.insert(value).inserted else { continue }
            table.append("| `\(value)` | `\(payload.format)` | `\(raw)` | \(object.map { "`\($0)`" } ?? "none") |")
        }
        #expect(seen.count == 16)
        try GoldenBlock(file: "docs/reference/barcode-values.md", name: "barcode values").expect(table)
    }

    /// GS1 General Specifications, figure 4.15.1-2, as the corpus has it in two symbologies.
    @Test(
        .enabled(if: SharedData.has("corpora/barcodes/LICENSE"), "no shared data beside the checkout"),
        arguments: ["aztec-1/gs1-figure-4.15.1-2-31x31.png", "datamatrix-1/gs1-figure-4.15.1-2-32x32.png"])
    func symbolsWithFNC1HoldElementStrings(picture: String) throws {
        let line = try detect([SharedData.path("corpora/barcodes/\(picture)")])[0]
        let elements = try #require(part(line, after: #""gs1":{"elements":["#, before: "]"), "\(line)")
        #expect(
            elements
                == [
                    #"{"ai":"01","title":"GTIN","data":"09504000059101"}"#,
                    #"{"ai":"21","title":"SERIAL","data":"12345678p901"}"#,
                    #"{"ai":"10","title":"BATCH/LOT","data":"1234567p"}"#,
                    #"{"ai":"17","title":"USE BY or EXPIRY","data":"141120","date":"2014-11-20"}"#,
                    #"{"ai":"8200","title":"PRODUCT URL","data":"http://www.gs1.org/demo/"}"#,
                ].joined(separator: ","))
        #expect(line.contains(#""display":"(01)09504000059101(21)12345678p901(10)1234567p(17)141120(8200)http"#))
    }

    @Test func redactedBarcodeValuesAreInNoOutput() throws {
        let wifi = try draw("qr_code", "WIFI:T:WPA;S:net;P:hunter2;;", 0)
        let damaged = try draw("qr_code", "WIFI:T:WPA;P:hunter2;;", 1)
        let secret = Data("hunter2".utf8).base64EncodedString().prefix(8)
        let options = ["--set", #"barcode.redact=["wifi.password"]"#]
        let lines = try detect([wifi, damaged], options)
        #expect(
            lines[0].contains(#""display":"net","redacted":["wifi.password"],"value_format":"wifi","wifi":{"ssid":"#))
        #expect(lines[1].contains(#""format":"qr_code","redacted":["wifi"],"value_format":"text","orientation""#))
        scope.write("p.toml", "[source]\nkind = \"images\"\npath = \"\(wifi)\"\n[barcode]\n")
        let film = Program.run(Program.built("glimpsed"), ["pipeline", scope.path("p.toml")] + options)
        try #require(film.status == 0, "\(film)")
        let types = film.lines.compactMap { part($0, after: #""type":""#, before: "\"") }
        #expect(types.contains("detected") && types.contains("completed"))
        #expect(try EventSchema.violations(in: film.lines.map { Array($0.utf8) }) == [])
        for line in lines + film.lines { #expect(!line.contains("hunter2") && !line.contains(secret)) }
    }

    @Test func barcodeValuesAreNotParsedWhenParsingIsOff() throws {
        let wifi = try draw("qr_code", "WIFI:T:WPA;S:net;P:hunter2;;", 0)
        let line = try detect([wifi], ["--set", "barcode.parse_values=false"])[0]
        #expect(line.contains(#""display":"WIFI:T:WPA;S:net;P:hunter2;;","orientation""#))
        #expect(!line.contains("value_format"))
    }
}
