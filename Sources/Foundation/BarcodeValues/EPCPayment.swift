// SPDX-License-Identifier: Apache-2.0
/// "Quick Response Code: guidelines to enable data capture for the initiation of a SEPA credit transfer" (EPC069-12,
/// version 3).
enum EPCPayment {
    static func payment(_ text: TextBytes) -> Payment? {
        let lines = text.lines.map(\.trimmingWhitespace)
        func line(_ number: Int) -> TextBytes { lines.indices.contains(number) ? lines[number] : [] }
        guard line(0).hasPrefix("BCD"), line(0).count == 3, ["001", "002"].contains(line(1).string),
            let charset = line(2).integer, 1...8 ~= charset, line(3).string == "SCT"
        else { return nil }
        var payment = Payment(.epc)
        let bic = line(4)
        // Inside the European Economic Area the second version does without.
        guard bic.isEmpty ? line(1).string == "002" : isBIC(bic) else { return nil }
        payment.bic = bic.string.orNil
        guard 1...70 ~= line(5).string.unicodeScalars.count else { return nil }
        payment.creditor = Payment.Party(name: line(5).string, addressLines: [])
        let iban = line(6).filter { $0 != 0x20 }[...]
        guard CheckDigits.isIBAN(iban) else { return nil }
        payment.iban = iban.string
        if !line(7).isEmpty {
            guard let amount = line(7).after(ignoringCase: "EUR"), isAmount(amount) else { return nil }
            (payment.amount, payment.currency) = (amount.string, "EUR")
        }
        guard line(8).count <= 4 else { return nil }
        payment.purpose = line(8).string.orNil
        // Structured or unstructured, not both.
        guard line(9).isEmpty || line(10).isEmpty else { return nil }
        if !line(9).isEmpty {
            payment.reference = line(9).string
            let isISO = CheckDigits.isCreditorReference(line(9).filter { $0 != 0x20 }[...])
            payment.referenceType = isISO ? "iso11649" : "structured"
        }
        payment.message = line(10).string.orNil
        payment.information = line(11).string.orNil
        return payment
    }

    /// ISO 9362: eight or eleven characters.
    static func isBIC(_ text: TextBytes) -> Bool {
        (text.count == 8 || text.count == 11) && text.prefix(6).allSatisfy(\.isLetter)
            && text.allSatisfy(\.isAlphanumeric)
    }

    /// 0.01 to 999999999.99, one or two digits after the point.
    private static func isAmount(_ text: TextBytes) -> Bool {
        let (whole, fraction) = text.cut(at: ".")
        guard let units = whole.integer, whole.count <= 9 else { return false }
        guard let fraction else { return units > 0 }
        return fraction.count <= 2 && fraction.isDigits && (units > 0 || (fraction.integer ?? 0) > 0)
    }
}
