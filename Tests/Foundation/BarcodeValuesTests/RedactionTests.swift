// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing

@testable import BarcodeValues

@Suite struct RedactionTests {
    private let secret = "s3cr3t"

    private func barcode(_ text: String?, bytes: [UInt8]? = nil) -> Barcode {
        Barcode(format: .qrCode, raw: text, bytes: bytes ?? Array((text ?? "").utf8), corners: .zero)
    }

    private func reporting(_ names: String..., parsesValues: Bool = true) throws -> BarcodeReporting {
        var redactions: Set<BarcodeRedaction> = []
        for name in names {
            let parts = name.split(separator: ".").map(String.init)
            let format = try #require(BarcodeValueFormat(rawValue: parts[0]))
            redactions.insert(
                parts.count > 1 ? try #require(BarcodeRedaction(format, field: parts[1])) : BarcodeRedaction(format))
        }
        return BarcodeReporting(parsesValues: parsesValues, redactions: redactions)
    }

    @Test func redactionRemovesAFieldAndKeepsTheRest() throws {
        let content = try reporting("wifi.password").content(of: barcode("WIFI:T:WPA;S:net;P:\(secret);;"))
        #expect(content.format == .wifi)
        #expect(content.fields?.json == #"{"ssid":"net","encryption_type":"wpa","security":"WPA"}"#)
        #expect(content.display == "net")
        #expect(content.redacted == ["wifi.password"])
    }

    @Test func redactionRemovesAWholeValue() throws {
        let content = try reporting("wifi", "wifi.password").content(of: barcode("WIFI:T:WPA;S:net;P:\(secret);;"))
        #expect(content == BarcodeContent(format: .wifi, redacted: ["wifi", "wifi.password"]))
    }

    @Test func redactionKeepsOtherFormats() throws {
        let plain = barcode("https://example.com/\(secret)")
        #expect(try reporting("wifi.password").content(of: plain) == BarcodeReporting().content(of: plain))
    }

    /// An invalid payload is text, and its secret stays hidden.
    @Test(arguments: [
        "WIFI:T:WPA;P:s3cr3t;;", "wifi:T:XYZ;S:a;P:s3cr3t;;", " \nWIFI:P:s3cr3t", "\u{FEFF}WIFI:P:s3cr3t",
        "join WIFI:P:s3cr3t",
        "otpauth://totp/a?secret=s3cr3t!", "otpauth-migration://offline?data=s3cr3t", "@\n\u{1E}\rANSI 6360s3cr3t",
    ])
    func redactionRemovesAllOfADamagedForm(text: String) throws {
        let reporting = try reporting("wifi.password", "otp.secret", "driver_license.number")
        for barcode in [barcode(text), barcode(nil, bytes: Array(text.utf8))] {
            let content = reporting.content(of: barcode)
            #expect(content.redacted.count == 1, "\(text)")
            #expect(content.fields == nil && content.display == nil, "\(text)")
        }
    }

    /// A recognised but invalid payload, for each format that can be damaged.
    private func damaged(_ format: BarcodeValueFormat) -> Barcode? {
        switch format {
        // Any text is valid.
        case .text: nil
        case .contact: barcode("BEGIN:VCARD\nVERSION:9\nN:\(secret)")
        case .email: barcode("mailto:\(secret)%")
        case .isbn: barcode("ISBN 0-306-40615-3 \(secret)")
        case .phone: barcode("tel:\(secret)")
        case .product:
            Barcode(format: .ean13, raw: "4006381\(secret)", bytes: Array("4006381\(secret)".utf8), corners: .zero)
        case .sms: barcode("smsto:\(secret):a")
        case .url: barcode("http://\(secret) a b")
        case .wifi: barcode("WIFI:T:WPA;P:\(secret);;")
        case .geo: barcode("geo:\(secret)")
        case .calendarEvent: barcode("BEGIN:VEVENT\nSUMMARY:\(secret)")
        case .driverLicense: barcode("@\n\u{1E}\rANSI 6360\(secret)")
        case .gs1:
            Barcode(
                format: .dataMatrix, raw: "0109501101530004\(secret)", bytes: Array("0109501101530004\(secret)".utf8),
                corners: .zero, symbologyIdentifier: "]d2")
        case .otp: barcode("otpauth://totp/a?secret=\(secret)!")
        case .payment: barcode("BCD\n009\n1\nSCT\n\(secret)")
        case .boardingPass: barcode("M1\(secret)")
        }
    }

    @Test(arguments: BarcodeValueFormat.allCases)
    func redactionRemovesADamagedPayloadOfEveryFormat(format: BarcodeValueFormat) throws {
        guard let text = damaged(format) else { return }
        #expect(text.value?.format != format)
        var binary = text
        binary.raw = nil
        let redactions =
            [BarcodeRedaction(format)] + format.fieldNames.prefix(1).compactMap { BarcodeRedaction(format, field: $0) }
        for barcode in [text, binary] {
            for redaction in redactions {
                for parsesValues in [true, false] {
                    let reporting = BarcodeReporting(parsesValues: parsesValues, redactions: [redaction])
                    let content = reporting.content(of: barcode)
                    #expect(content.redacted == [format.rawValue], "\(barcode)")
                    #expect(content.fields == nil && content.display == nil, "\(barcode)")
                }
            }
        }
    }

    /// A reader may misread a digit. The number is then not a book's number, and must still be hidden.
    @Test func redactionHidesADamagedBookNumber() throws {
        var book = barcode("9783161484101")
        book.format = .ean13
        #expect(try reporting("isbn").content(of: book).redacted == ["isbn"])
        var product = barcode("4006381333931")
        product.format = .ean13
        #expect(try reporting("isbn").content(of: product).redacted == [])
    }

    @Test func redactionOfGS1FollowsTheIdentifiers() throws {
        var symbol = barcode("010950110153000321\(secret)\u{1D}10A")
        symbol.format = .dataMatrix
        symbol.symbologyIdentifier = "]d2"
        let content = try reporting("gs1.21").content(of: symbol)
        #expect(content.display == "(01)09501101530003(10)A")
        #expect(content.fields?.json.contains(secret) == false)
        #expect(try reporting("gs1.elements").content(of: symbol).display == nil)
        #expect(try reporting("gs1").content(of: symbol) == BarcodeContent(format: .gs1, redacted: ["gs1"]))
    }

    @Test func redactionNamesAreThoseOfTheFormats() throws {
        #expect(BarcodeRedaction(.wifi, field: "secret") == nil)
        #expect(BarcodeRedaction(.text, field: "text") == nil)
        #expect(BarcodeRedaction(.gs1, field: "05") == nil)
        #expect(BarcodeRedaction(.driverLicense, field: "number")?.field == "license_number")
    }

    /// Without typed values the event has no meaning of the payload, but hidden parts stay hidden.
    @Test func redactionWithoutParsing() throws {
        let text = barcode("WIFI:T:WPA;S:net;P:\(secret);;")
        #expect(BarcodeReporting(parsesValues: false).content(of: text) == BarcodeContent(display: text.raw))
        let content = try reporting("wifi.password", parsesValues: false).content(of: text)
        #expect(content == BarcodeContent(display: "net", redacted: ["wifi.password"]))
        let other = try reporting("otp", parsesValues: false).content(of: text)
        #expect(other == BarcodeContent(display: text.raw))
    }

    /// The text of each redacted field of each vector is absent from the output, unless another field has equal text.
    @Test func noFieldSurvivesItsRedaction() throws {
        for vector in FuzzTests.vectors {
            guard let value = vector.barcode.value, let fields = value.fields else { continue }
            for field in fields.fields {
                guard case .text(let text) = field.content, text.utf8.count > 6 else { continue }
                let reporting = BarcodeReporting(redactions: [
                    try #require(BarcodeRedaction(value.format, field: field.name))
                ])
                let content = reporting.content(of: vector.barcode)
                #expect(content.redacted == ["\(value.format.rawValue).\(field.name)"])
                #expect(content.fields?.fields.contains { $0.name == field.name } == false)
                let said = fields.hiding([field.name]).json
                if !said.contains(text) {
                    #expect(content.display?.contains(text) != true, "\(vector.source) \(field.name)")
                }
            }
        }
    }
}
