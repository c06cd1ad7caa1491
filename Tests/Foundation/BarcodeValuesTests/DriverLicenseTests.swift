// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BarcodeValues

@Suite struct DriverLicenseTests {
    private static let rest =
        #""gender":"1","address_street":"2300 WEST BROAD STREET","address_city":"RICHMOND","address_state":"VA","address_zip":"232690000","license_number":"T64235789","issue_date":"06062019","expiry_date":"12102024","birth_date":"06061986","date_order":"mdy","issuing_country":"USA""#

    /// AAMVA DL/ID Card Design Standard 2016, annex D: the standard's own example.
    private static let example =
        "@\n\u{1e}\rANSI 636000090002DL00410278ZV03190008DLDAQT64235789\nDCSSAMPLE\nDDEN\nDACMICHAEL\nDDFN\nDADJOHN\nDDGN\nDCUJR\nDCAD\nDCBK\nDCDPH\nDBD06062019\nDBB06061986\nDBA12102024\nDBC1\nDAU068 in\nDAYBRO\nDAG2300 WEST BROAD STREET\nDAIRICHMOND\nDAJVA\nDAK232690000  \nDCF2424244747474786102204\nDCGUSA\nDCK123456789\nDDAF\nDDB06062018\nDDC06062020\nDDD1\rZVZVA01\r"

    static let vectors: [Vector] = [
        Vector(
            "AAMVA 2016, annex D: example", example, .driverLicense,
            #"{"document_type":"DL","first_name":"MICHAEL","middle_name":"JOHN","last_name":"SAMPLE","name_suffix":"JR",\#(rest),"issuer_id":"636000","aamva_version":9}"#
        ),
        Vector(
            "AAMVA 2000, annex D: version 1, one field of names, years first",
            "@\n\u{1e}\rAAMVA6360200101DL00290192DLDAQ94-052-1234\nDAADOE,JOHN,QUINCY,JR\nDAG12 MAIN ST\nDAIDENVER\nDAJCO\nDAK80202\nDBA20051231\nDBB19700115\nDBCM\nDBD20010101\r",
            .driverLicense,
            #"{"document_type":"DL","first_name":"JOHN","middle_name":"QUINCY","last_name":"DOE","name_suffix":"JR","gender":"1","address_street":"12 MAIN ST","address_city":"DENVER","address_state":"CO","address_zip":"80202","license_number":"94-052-1234","issue_date":"20010101","expiry_date":"20051231","birth_date":"19700115","date_order":"ymd","issuing_country":"USA","issuer_id":"636020","aamva_version":1}"#
        ),
        Vector(
            "AAMVA 2003, annex D: version 2, given names in one field; an identification card",
            "@\n\u{1e}\rANSI 636026020001ID00310100IDDAQA1\nDCSDOE\nDCTJANE MARY\nDBC2\nDBB12311980\nDCGUSA\r",
            .driverLicense,
            #"{"document_type":"ID","first_name":"JANE","middle_name":"MARY","last_name":"DOE","gender":"2","license_number":"A1","birth_date":"12311980","date_order":"mdy","issuing_country":"USA","issuer_id":"636026","aamva_version":2}"#
        ),
        Vector(
            "AAMVA 2020, annex D: Canada, version 10, years first; the offset is wrong",
            "@\n\u{1e}\rANSI 636012100001DL99990100DLDAQS1234-56789-01234\nDCSTREMBLAY\nDACMARIE\nDADNONE\nDBC9\nDBB19801231\nDBA20291231\nDCGCAN\r",
            .driverLicense,
            #"{"document_type":"DL","first_name":"MARIE","last_name":"TREMBLAY","gender":"9","license_number":"S1234-56789-01234","expiry_date":"20291231","birth_date":"19801231","date_order":"ymd","issuing_country":"CAN","issuer_id":"636012","aamva_version":10}"#
        ),
        Vector(
            "AAMVA, Issuer Identification Numbers: the country is the issuer's",
            "@\n\u{1e}\rANSI 636012030001DL00310100DLDAQ1\nDCSA\nDBB19801231\r", .driverLicense,
            #"{"document_type":"DL","last_name":"A","license_number":"1","birth_date":"19801231","date_order":"ymd","issuing_country":"CAN","issuer_id":"636012","aamva_version":3}"#
        ),
        Vector(
            "AAMVA 2016, annex D, data elements: no such date", example.replacing("DBB06061986", with: "DBB13061986"),
            .text),
        Vector(
            "AAMVA 2016, annex D, data elements: the number is mandatory",
            example.replacing("DAQT64235789", with: "DAX"), .text),
        Vector("AAMVA 2016, annex D: the header", "@\n\u{1e}\rANSI 63600009", .text),
    ]

    @Test(arguments: vectors) func driverLicenseVectors(_ vector: Vector) { vector.check() }

    /// Versions 2 to 10 have one header.
    @Test(arguments: 2...10) func driverLicenseVersions(version: Int) throws {
        let text = Self.example.replacing("63600009", with: "636000" + (version < 10 ? "0\(version)" : "\(version)"))
        guard case .driverLicense(let license) = BarcodeValueParser.value(of: text) else {
            Issue.record("version \(version)")
            return
        }
        #expect(license.version == version)
        #expect(license.lastName == "SAMPLE")
    }
}
