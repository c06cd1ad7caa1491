// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BarcodeValues

@Suite struct PaymentTests {
    private static let qrBill = """
        SPC
        0200
        1
        CH4431999123000889012
        S
        Robert Schneider AG
        Rue du Lac
        1268
        2501
        Biel
        CH







        1949.75
        CHF
        S
        Pia-Maria Rutschmann-Schnyder
        Grosse Marktgasse
        28
        9400
        Rorschach
        CH
        QRR
        210000000003139471430009017
        Order dated 15.06.2020
        EPD
        //S1/10/10201409/11/200615/20/140.000-53/30/102673831/31/200615/32/7.7/33/7.7:139.40/40/0:30
        """

    static let vectors: [Vector] = [
        Vector(
            "EPC069-12, example",
            "BCD\n001\n1\nSCT\nBPOTBEB1\nRed Cross of Belgium\nBE72000000001616\nEUR1\nCHAR\n\nUrgency fund\nSample QR code",
            .payment,
            #"{"scheme":"epc","creditor":{"name":"Red Cross of Belgium"},"iban":"BE72000000001616","bic":"BPOTBEB1","amount":"1","currency":"EUR","purpose":"CHAR","message":"Urgency fund","information":"Sample QR code"}"#
        ),
        Vector(
            "EPC069-12: version 2 without BIC, creditor reference, CRLF",
            "BCD\r\n002\r\n1\r\nSCT\r\n\r\nFranz Mustermann\r\nDE89370400440532013000\r\nEUR12.3\r\n\r\nRF18539007547034",
            .payment,
            #"{"scheme":"epc","creditor":{"name":"Franz Mustermann"},"iban":"DE89370400440532013000","amount":"12.3","currency":"EUR","reference_type":"iso11649","reference":"RF18539007547034"}"#
        ),
        Vector("EPC069-12: version 1 has a BIC", "BCD\n001\n1\nSCT\n\nA\nDE89370400440532013000", .text),
        Vector("ISO 13616: wrong check digits", "BCD\n002\n1\nSCT\n\nA\nDE88370400440532013000", .text),
        Vector(
            "EPC069-12: one kind of remittance information",
            "BCD\n002\n1\nSCT\n\nA\nDE89370400440532013000\nEUR1\n\nR\nT", .text),
        Vector(
            "Swiss Implementation Guidelines QR-bill 2.3, examples: QR reference", qrBill, .payment,
            #"{"scheme":"swiss_qr_bill","creditor":{"name":"Robert Schneider AG","address_lines":["Rue du Lac 1268","2501 Biel"],"country":"CH"},"iban":"CH4431999123000889012","debtor":{"name":"Pia-Maria Rutschmann-Schnyder","address_lines":["Grosse Marktgasse 28","9400 Rorschach"],"country":"CH"},"amount":"1949.75","currency":"CHF","reference_type":"qrr","reference":"210000000003139471430009017","message":"Order dated 15.06.2020","information":"//S1/10/10201409/11/200615/20/140.000-53/30/102673831/31/200615/32/7.7/33/7.7:139.40/40/0:30"}"#
        ),
        Vector(
            "Swiss Implementation Guidelines QR-bill 2.2, examples: creditor reference, combined address",
            qrBill.replacing("CH4431999123000889012", with: "CH5800791123000889012")
                .replacing("QRR\n210000000003139471430009017", with: "SCOR\nRF18539007547034")
                .replacing(
                    "S\nRobert Schneider AG\nRue du Lac\n1268\n2501\nBiel\n",
                    with: "K\nRobert Schneider AG\nRue du Lac 1268\n2501 Biel\n\n\n"
                )
                .replacing(
                    "S\nPia-Maria Rutschmann-Schnyder\nGrosse Marktgasse\n28\n9400\nRorschach\nCH", with: "\n\n\n\n\n\n"
                )
                .replacing("1949.75", with: ""),
            .payment,
            #"{"scheme":"swiss_qr_bill","creditor":{"name":"Robert Schneider AG","address_lines":["Rue du Lac 1268","2501 Biel"],"country":"CH"},"iban":"CH5800791123000889012","currency":"CHF","reference_type":"iso11649","reference":"RF18539007547034","message":"Order dated 15.06.2020","information":"//S1/10/10201409/11/200615/20/140.000-53/30/102673831/31/200615/32/7.7/33/7.7:139.40/40/0:30"}"#
        ),
        Vector(
            "Swiss Implementation Guidelines QR-bill, section 4: a QR-IBAN takes a QR reference",
            qrBill.replacing("QRR\n210000000003139471430009017", with: "NON\n"), .text),
        Vector(
            "Swiss Implementation Guidelines QR-bill: wrong check digit",
            qrBill.replacing("210000000003139471430009017", with: "210000000003139471430009018"), .text),
        Vector("Swiss Implementation Guidelines QR-bill, section 4: trailer", qrBill.replacing("EPD", with: ""), .text),
        Vector(
            "BIP 21, examples", "bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?amount=20.3&label=Luke-Jr", .payment,
            #"{"scheme":"bip21","network":"bitcoin","address":"175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W","amount":"20.3","currency":"BTC","label":"Luke-Jr"}"#
        ),
        Vector(
            "BIP 21, examples: what must be understood and is not",
            "bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?req-somethingyoudontunderstand=50", .text),
        Vector(
            "BIP 173, test vectors", "BITCOIN:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", .payment,
            #"{"scheme":"bip21","network":"bitcoin","address":"BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4","currency":"BTC"}"#
        ),
        Vector(
            "BIP 350, test vectors", "bitcoin:bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", .payment,
            #"{"scheme":"bip21","network":"bitcoin","address":"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0","currency":"BTC"}"#
        ),
        Vector(
            "BIP 350, test vectors: Bech32 where Bech32m is due",
            "bitcoin:bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", .payment,
            #"{"scheme":"bip21","network":"bitcoin","address":"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd","currency":"BTC"}"#
        ),
        Vector(
            "Bitcoin's first block", "bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", .payment,
            #"{"scheme":"bip21","network":"bitcoin","address":"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa","currency":"BTC"}"#
        ),
        Vector("BIP 21: no base58", "bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245l", .text),
        Vector(
            "EIP-681, Examples, with EIP-55's case",
            "ethereum:0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359@1?value=2.014e18", .payment,
            #"{"scheme":"eip681","network":"ethereum","address":"0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359","chain_id":1,"amount":"2.014","currency":"ETH"}"#
        ),
        Vector(
            "EIP-681, Examples: a token",
            "ethereum:0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7/transfer?address=0x8e23ee67d1332ad560396262c48ffbb01f93d052&uint256=1",
            .payment,
            #"{"scheme":"eip681","network":"ethereum","address":"0x8e23ee67d1332ad560396262c48ffbb01f93d052","contract":"0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7","amount":"1"}"#
        ),
        Vector(
            "EIP-681, Examples, as they stand there",
            "ethereum:0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359?value=2.014e18", .payment,
            #"{"scheme":"eip681","network":"ethereum","address":"0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359","amount":"2.014","currency":"ETH"}"#
        ),
        Vector("EIP-681: no address", "ethereum:0xFB6916095ca1df60bB79Ce92cE3Ea74c37c5d35", .text),
        Vector(
            "EIP-681: parts of a wei", "ethereum:0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7?value=1.5", .text),
    ]

    @Test(arguments: vectors) func paymentVectors(_ vector: Vector) { vector.check() }

    /// EIP-55, Test Cases.
    @Test(arguments: [
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ])
    func ethereumAddressesAreChecked(text: String) {
        #expect(CoinAddress.isEthereum(Array(text.utf8)[...]))
    }

    /// ISO 7064, MOD 97-10 finds any single wrong character and any exchange of two neighbours.
    @Test func everyWrongCharacterOfAnIBANIsFound() {
        let iban = Array("DE89370400440532013000".utf8)
        for place in 4..<iban.count {
            for digit in UInt8(ascii: "0")...UInt8(ascii: "9") where digit != iban[place] {
                var wrong = iban
                wrong[place] = digit
                #expect(!CheckDigits.isIBAN(wrong[...]))
            }
            var swapped = iban
            swapped.swapAt(place - 1, place)
            if swapped != iban, place > 4 { #expect(!CheckDigits.isIBAN(swapped[...])) }
        }
    }
}
