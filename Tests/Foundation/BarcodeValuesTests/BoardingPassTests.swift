// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BarcodeValues

@Suite struct BoardingPassTests {
    private static let twoLegs =
        "M2DESMARAIS/LUC       EABC123 YULFRAAC 0834 326J001A0025 14D>6181WW6225BAC 00141234560032A0141234567890 1AC AC 1234567890123    20KYLX58ZDEF456 FRAGVALH 3664 327C012C0002 12E2A0140987654321 1AC AC 1234567890123    2PCNWQ^164GIWVC5EH7JNT684FVNJ91W2QA4DVN5J8K4F0L0GEQ3DF5TGBN8709HKT5D3DW3GBHFCVHMY7J5T6HFR41W2QA4DVN5J8K4F0L0GE"

    static let vectors: [Vector] = [
        Vector(
            "IATA BCBP implementation guide: one leg, mandatory fields only",
            "M1DESMARAIS/LUC       EABC123 YULFRAAC 0834 226F001A0025 100", .boardingPass,
            #"{"passenger_name":"DESMARAIS/LUC","electronic_ticket":true,"legs":[{"pnr":"ABC123","from":"YUL","to":"FRA","carrier":"AC","flight_number":"834","day_of_year":226,"cabin":"F","seat":"1A","sequence":"25","passenger_status":"1"}]}"#
        ),
        Vector(
            "IATA BCBP implementation guide: two legs, conditional fields, signature", twoLegs, .boardingPass,
            #"{"passenger_name":"DESMARAIS/LUC","electronic_ticket":true,"legs":[{"pnr":"ABC123","from":"YUL","to":"FRA","carrier":"AC","flight_number":"834","day_of_year":326,"cabin":"J","seat":"1A","sequence":"25","passenger_status":"1","marketing_carrier":"AC","ticket_number":"0141234567890","frequent_flyer_airline":"AC","frequent_flyer_number":"1234567890123","free_baggage":"20K","fast_track":"Y"},{"pnr":"DEF456","from":"FRA","to":"GVA","carrier":"LH","flight_number":"3664","day_of_year":327,"cabin":"C","seat":"12C","sequence":"2","passenger_status":"1","marketing_carrier":"AC","ticket_number":"0140987654321","frequent_flyer_airline":"AC","frequent_flyer_number":"1234567890123","free_baggage":"2PC","fast_track":"N"}],"issued":"6225","document_type":"B","issuer":"AC"}"#
        ),
        Vector(
            "Resolution 792: a second leg is missing", "M2DESMARAIS/LUC       EABC123 YULFRAAC 0834 226F001A0025 100",
            .text),
        Vector(
            "Resolution 792: no such day", "M1DESMARAIS/LUC       EABC123 YULFRAAC 0834 367F001A0025 100", .text),
        Vector(
            "Resolution 792: something behind the pass",
            "M1DESMARAIS/LUC       EABC123 YULFRAAC 0834 226F001A0025 100X",
            .text),
        Vector(
            "Resolution 792: a text that begins so",
            "M1 motorway closed between junctions 3 and 4 until Monday 06:00 am", .text),
    ]

    @Test(arguments: vectors) func boardingPassVectors(_ vector: Vector) { vector.check() }
}
