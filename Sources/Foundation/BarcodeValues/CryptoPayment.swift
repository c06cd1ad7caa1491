// SPDX-License-Identifier: Apache-2.0
/// `bitcoin:` and its relatives (BIP 21), `ethereum:` (EIP-681).
enum CryptoPayment {
    static func payment(_ text: TextBytes) -> Payment? { bip21(text) ?? eip681(text) }

    private struct Coin: Sendable {
        let network: String
        let currency: String
        /// The prefixes of Bech32 addresses.
        let prefixes: [String]
    }

    /// Prefixes: chainparams.cpp of each currency's reference client.
    private static let coins = [
        Coin(network: "bitcoin", currency: "BTC", prefixes: ["bc", "tb"]),
        Coin(network: "litecoin", currency: "LTC", prefixes: ["ltc"]),
        Coin(network: "dogecoin", currency: "DOGE", prefixes: []),
        Coin(network: "dash", currency: "DASH", prefixes: []),
    ]

    private static func bip21(_ text: TextBytes) -> Payment? {
        for coin in coins {
            guard let rest = text.after(ignoringCase: coin.network + ":") else { continue }
            let (address, query) = rest.cut(at: "?")
            guard CoinAddress.isBech32(address, prefixes: coin.prefixes) || CoinAddress.isBase58(address) else {
                return nil
            }
            let parameters = query.map(PercentEncoding.query) ?? []
            // An unknown required parameter makes the whole address invalid.
            guard !parameters.contains(where: { $0.name.hasPrefix("req-") }) else { return nil }
            var payment = Payment(.bip21)
            payment.network = coin.network
            payment.address = address.string
            payment.currency = coin.currency
            if let amount = parameters["amount"] {
                guard isCoins(Array(amount.utf8)[...]) else { return nil }
                payment.amount = amount
            }
            payment.label = parameters["label"]?.orNil
            payment.message = parameters["message"]?.orNil
            return payment
        }
        return nil
    }

    /// Decimal, with a point, no more than eight digits behind it.
    private static func isCoins(_ text: TextBytes) -> Bool {
        let (whole, fraction) = text.cut(at: ".")
        return whole.isDigits && whole.count <= 12 && (fraction.map { $0.isDigits && $0.count <= 8 } ?? true)
    }

    private static func eip681(_ text: TextBytes) -> Payment? {
        guard var rest = text.after(ignoringCase: "ethereum:") else { return nil }
        rest = rest.after(ignoringCase: "pay-") ?? rest
        let (place, query) = rest.cut(at: "?")
        let (targetAndChain, function) = place.cut(at: "/")
        let (target, chain) = targetAndChain.cut(at: "@")
        let parameters = query.map(PercentEncoding.query) ?? []
        guard isTarget(target) else { return nil }
        var payment = Payment(.eip681)
        payment.network = "ethereum"
        if let chain {
            guard let number = chain.integer, number > 0 else { return nil }
            payment.chainID = number
        }
        func amount(_ name: String) -> (isValid: Bool, wei: String?) {
            guard let text = parameters[name] else { return (true, nil) }
            let wei = wholeNumber(Array(text.utf8)[...])
            return (wei != nil, wei)
        }
        if let function {
            // The transfer of a token is the only function that is a payment.
            guard function.string == "transfer", let recipient = parameters["address"],
                isTarget(Array(recipient.utf8)[...]), case (true, let units) = amount("uint256")
            else { return nil }
            payment.contract = target.string
            payment.address = recipient
            payment.amount = units
        } else {
            guard case (true, let wei) = amount("value") else { return nil }
            payment.address = target.string
            payment.amount = wei.map(ether)
            payment.currency = "ETH"
        }
        payment.label = parameters["label"]?.orNil
        payment.message = parameters["message"]?.orNil
        return payment
    }

    /// An address, or a name of the Ethereum Name Service.
    private static func isTarget(_ text: TextBytes) -> Bool {
        CoinAddress.isEthereum(text) || !text.hasPrefix("0x") && HostName.isDomain(text)
    }

    /// `2.014e18` as its digits; nil when it is not a whole number of at most 78 digits (2^256).
    private static func wholeNumber(_ text: TextBytes) -> String? {
        let (mantissa, power) =
            text.firstIndex { $0.lowercased == UInt8(ascii: "e") }
            .map { (text[..<$0], text[($0 + 1)...]) } ?? (text, [])
        let (whole, fraction) = mantissa.cut(at: ".")
        guard whole.isDigits, fraction?.isDigits ?? true, power.isEmpty || power.isDigits,
            let exponent = power.isEmpty ? 0 : power.integer, exponent <= 77, text.count <= 100
        else { return nil }
        var fractionDigits = Array(fraction ?? [])
        while fractionDigits.last == UInt8(ascii: "0") { fractionDigits.removeLast() }
        guard fractionDigits.count <= exponent else { return nil }
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: exponent - fractionDigits.count)
        let digits = (Array(whole) + fractionDigits + zeros).drop { $0 == UInt8(ascii: "0") }
        return digits.count <= 78 ? digits[...].string.orNil ?? "0" : nil
    }

    /// 10^18 wei are an ether.
    private static func ether(_ wei: String) -> String {
        var text = Array(DecimalNumber.text(Array(wei.utf8)[...], places: 18).utf8)
        while text.last == UInt8(ascii: "0") { text.removeLast() }
        if text.last == UInt8(ascii: ".") { text.removeLast() }
        return text[...].string
    }
}
