// SPDX-License-Identifier: Apache-2.0
extension BoardingPass {
    /// The text of a pass: 23 characters once, then 37 for each leg. Each leg is followed by as many conditional
    /// characters as its size says. A signature may follow behind `^`.
    init?(_ text: TextBytes) {
        var rest = text
        guard rest.popFirst() == UInt8(ascii: "M"), let legs = rest.popFirst(), 0x31...0x34 ~= legs,
            let name = Self.field(20, of: &rest)?.trimmingSpaces, name.utf8.first?.isLetter == true,
            let ticket = Self.field(1, of: &rest), ticket == "E" || ticket == " " || ticket == "L"
        else { return nil }
        passengerName = name
        isElectronicTicket = ticket == "E"
        self.legs = []
        for number in 0..<Int(legs - 0x30) {
            guard var leg = Leg(&rest), let size = Self.hexadecimal(&rest), rest.count >= size else { return nil }
            var conditional = rest.prefix(size)
            rest = rest.dropFirst(size)
            if number == 0 { addUnique(&conditional) }
            leg.addConditional(&conditional)
            self.legs.append(leg)
        }
        let end = rest.trimmingWhitespace
        guard end.isEmpty || end.first == UInt8(ascii: "^") else { return nil }
    }

    /// The fields that stand once, in the first leg's conditional part: `>`, version, size, and fields as far as the
    /// size goes.
    private mutating func addUnique(_ conditional: inout TextBytes) {
        guard conditional.first == UInt8(ascii: ">") else { return }
        var rest = conditional.dropFirst(2)
        guard let size = Self.hexadecimal(&rest), rest.count >= size else { return }
        var unique = rest.prefix(size)
        conditional = rest.dropFirst(size)
        // Passenger description, source of check-in, source of the pass.
        _ = Self.field(3, of: &unique)
        issued = Self.field(4, of: &unique)?.trimmingSpaces.orNil
        documentType = Self.field(1, of: &unique)?.trimmingSpaces.orNil
        issuer = Self.field(3, of: &unique)?.trimmingSpaces.orNil
    }

    /// nil when there is less.
    fileprivate static func field(_ length: Int, of text: inout TextBytes) -> String? {
        guard text.count >= length else { return nil }
        defer { text = text.dropFirst(length) }
        let field = text.prefix(length)
        return field.allSatisfy { !$0.isControl && $0 < 0x80 } ? field.string : nil
    }

    fileprivate static func hexadecimal(_ text: inout TextBytes) -> Int? {
        guard let high = text.popFirst()?.hexValue, let low = text.popFirst()?.hexValue else { return nil }
        return Int(high) << 4 | Int(low)
    }
}

extension BoardingPass.Leg {
    /// The mandatory 35 characters before the size.
    fileprivate init?(_ text: inout TextBytes) {
        func field(_ length: Int) -> String? { BoardingPass.field(length, of: &text) }
        guard let pnr = field(7), let from = field(3), let to = field(3), let carrier = field(3),
            let flight = field(5), let day = field(3), let cabin = field(1), let seat = field(4),
            let sequence = field(5), let status = field(1),
            from.utf8.allSatisfy(\.isUpper), to.utf8.allSatisfy(\.isUpper),
            carrier.trimmingSpaces.utf8.count >= 2, carrier.trimmingSpaces.utf8.allSatisfy(\.isAlphanumeric),
            flight.utf8.prefix(4).allSatisfy({ $0.isDigit || $0 == 0x20 }),
            flight.utf8.contains(where: \.isDigit)
        else { return nil }
        self.pnr = pnr.trimmingSpaces.orNil
        (self.from, self.to) = (from, to)
        self.carrier = carrier.trimmingSpaces
        flightNumber = flight.withoutLeadingZeros
        if let date = day.trimmingSpaces.orNil {
            guard let day = Array(date.utf8)[...].integer, 1...366 ~= day else { return nil }
            dayOfYear = day
        }
        self.cabin = cabin.trimmingSpaces.orNil
        self.seat = seat.withoutLeadingZeros.orNil
        self.sequence = sequence.withoutLeadingZeros.orNil
        passengerStatus = status.trimmingSpaces.orNil
    }

    /// The fields of each leg, as far as its size goes.
    fileprivate mutating func addConditional(_ text: inout TextBytes) {
        guard let size = BoardingPass.hexadecimal(&text) else { return }
        var rest = text.prefix(size)
        func field(_ length: Int) -> String? { BoardingPass.field(length, of: &rest)?.trimmingSpaces.orNil }
        let airline = field(3)
        let document = field(10)
        if let airline, let document { ticketNumber = airline + document }
        // Selectee indicator, verification of documents.
        _ = field(2)
        marketingCarrier = field(3)
        frequentFlyerAirline = field(3)
        frequentFlyerNumber = field(16)
        // Discount indicator.
        _ = field(1)
        freeBaggage = field(3)
        fastTrack = field(1)
    }
}

extension String {
    fileprivate var withoutLeadingZeros: String { String(trimmingSpaces.drop { $0 == "0" }) }
}
