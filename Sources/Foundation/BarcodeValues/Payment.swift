// SPDX-License-Identifier: Apache-2.0
/// A payment to be made.
public struct Payment: Sendable, Equatable {
    /// The document that defines the text of the symbol.
    public enum Scheme: String, Sendable {
        /// SEPA credit transfer (EPC069-12).
        case epc
        /// Swiss QR-bill.
        case swissQRBill = "swiss_qr_bill"
        /// Bitcoin and its relatives.
        case bip21
        /// Ethereum.
        case eip681
    }

    /// A payee or a payer.
    public struct Party: Sendable, Equatable {
        public var name: String
        public var addressLines: [String]
        /// ISO 3166-1.
        public var country: String?
    }

    public var scheme: Scheme
    /// The payee. Only bank transfers have it, as they have `iban`, `bic`, `debtor`.
    public var creditor: Party?
    public var iban: String?
    public var bic: String?
    public var debtor: Party?
    /// The crypto currency's network: `bitcoin`, `ethereum`, ...
    public var network: String?
    /// The receiver's address on `network`. Its check characters are not verified.
    public var address: String?
    /// Ethereum: EIP-155.
    public var chainID: Int?
    /// Ethereum: the token's contract, when it is not ether that is sent.
    public var contract: String?
    /// Exact decimal text in units of `currency`, or, without a currency, in the contract's smallest unit.
    public var amount: String?
    /// ISO 4217, `BTC`, `ETH`, ...
    public var currency: String?
    /// `iso11649`, `qrr` (Switzerland) or `structured`.
    public var referenceType: String?
    /// The creditor's reference, in the form that `referenceType` names.
    public var reference: String?
    /// ISO 20022's code.
    public var purpose: String?
    public var label: String?
    public var message: String?
    /// Swiss billing information, EPC's "beneficiary to originator".
    public var information: String?

    init(_ scheme: Scheme) { self.scheme = scheme }

    init?(_ text: TextBytes) {
        guard let payment = EPCPayment.payment(text) ?? SwissQRBill.payment(text) ?? CryptoPayment.payment(text) else {
            return nil
        }
        self = payment
    }

    static let fieldNames = [
        "scheme", "creditor", "iban", "bic", "debtor", "network", "address", "chain_id", "contract", "amount",
        "currency", "reference_type", "reference", "purpose", "label", "message", "information",
    ]

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("scheme", scheme.rawValue)
        fields.add("creditor", creditor?.fields, shown: true)
        fields.add("iban", iban, shown: true)
        fields.add("bic", bic)
        fields.add("debtor", debtor?.fields)
        fields.add("network", network)
        fields.add("address", address, shown: true)
        fields.add("chain_id", chainID)
        fields.add("contract", contract)
        fields.add("amount", amount, shown: true)
        fields.add("currency", currency, shown: true)
        fields.add("reference_type", referenceType)
        fields.add("reference", reference, shown: true)
        fields.add("purpose", purpose)
        fields.add("label", label, shown: true)
        fields.add("message", message, shown: true)
        fields.add("information", information)
        return fields
    }
}

extension Payment.Party {
    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("name", name, shown: true)
        fields.add("address_lines", addressLines)
        fields.add("country", country)
        return fields
    }
}
