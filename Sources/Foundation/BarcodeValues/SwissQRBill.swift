// SPDX-License-Identifier: Apache-2.0
/// "Swiss Implementation Guidelines for the QR-bill" (SIX, version 2.3), section 4: the Swiss QR Code's lines.
enum SwissQRBill {
    static func payment(_ text: TextBytes) -> Payment? {
        let lines = text.lines.map(\.trimmingWhitespace)
        func line(_ number: Int) -> TextBytes { lines.indices.contains(number) ? lines[number] : [] }
        guard line(0).string == "SPC", line(1).hasPrefix("02"), line(1).count == 4, line(1).isDigits,
            line(2).string == "1", line(30).string == "EPD"
        else { return nil }
        var payment = Payment(.swissQRBill)
        let iban = line(3)
        guard iban.hasPrefix("CH") || iban.hasPrefix("LI"), iban.count == 21, CheckDigits.isIBAN(iban),
            let creditor = party(lines[4..<11])
        else { return nil }
        payment.iban = iban.string
        payment.creditor = creditor
        if !line(18).isEmpty {
            guard isAmount(line(18)) else { return nil }
            payment.amount = line(18).string
        }
        guard ["CHF", "EUR"].contains(line(19).string) else { return nil }
        payment.currency = line(19).string
        if lines[20..<27].contains(where: { !$0.isEmpty }) {
            guard let debtor = party(lines[20..<27]) else { return nil }
            payment.debtor = debtor
        }
        guard setReference(line(27), line(28), iban, in: &payment) else { return nil }
        payment.message = line(29).string.orNil
        payment.information = line(31).string.orNil
        return payment
    }

    /// The type agrees with the account: institutions 30000 to 31999 are QR-IBANs, which take QR references only.
    private static func setReference(
        _ type: TextBytes, _ reference: TextBytes, _ iban: TextBytes, in payment: inout Payment
    ) -> Bool {
        let isQRIBAN = 30000...31999 ~= (iban.dropFirst(4).prefix(5).integer ?? 0)
        payment.reference = reference.string.orNil
        switch type.string {
        case "QRR":
            payment.referenceType = "qrr"
            return isQRIBAN && reference.count == 27 && CheckDigits.isRecursiveMod10(reference)
        case "SCOR":
            payment.referenceType = "iso11649"
            return !isQRIBAN && CheckDigits.isCreditorReference(reference)
        case "NON": return !isQRIBAN && reference.isEmpty
        default: return false
        }
    }

    /// Type of address, name, street or first line, number or second line, postal code, town, country.
    private static func party(_ lines: ArraySlice<TextBytes>) -> Payment.Party? {
        let parts = lines.map(\.string)
        guard parts.count == 7, !parts[1].isEmpty, parts[6].utf8.count == 2, parts[6].utf8.allSatisfy(\.isUpper) else {
            return nil
        }
        let address: [String]
        switch parts[0] {
        case "S":
            guard !parts[4].isEmpty, !parts[5].isEmpty else { return nil }
            address = ["\(parts[2]) \(parts[3])".trimmingSpaces, "\(parts[4]) \(parts[5])".trimmingSpaces]
        case "K":
            guard !parts[3].isEmpty, parts[4].isEmpty, parts[5].isEmpty else { return nil }
            address = [parts[2], parts[3]]
        default: return nil
        }
        return Payment.Party(name: parts[1], addressLines: address.filter { !$0.isEmpty }, country: parts[6])
    }

    /// 0.01 to 999999999.99, always two digits after the point; 0.00 is a notification.
    private static func isAmount(_ text: TextBytes) -> Bool {
        let (whole, fraction) = text.cut(at: ".")
        return whole.isDigits && whole.count <= 9 && fraction?.count == 2 && fraction?.isDigits == true
    }
}
