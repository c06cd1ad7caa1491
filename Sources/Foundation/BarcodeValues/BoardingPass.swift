// SPDX-License-Identifier: Apache-2.0
/// A bar-coded boarding pass (IATA Resolution 792; "Bar Coded Boarding Pass implementation guide", format M).
public struct BoardingPass: Sendable, Equatable {
    /// One flight. Characters that are blank in the pass are nil.
    public struct Leg: Sendable, Equatable {
        /// The operating carrier's booking reference.
        public var pnr: String?
        /// IATA airport codes.
        public var from: String
        public var to: String
        /// The operating carrier's designator.
        public var carrier: String
        /// Without leading zeros, with a suffix letter if it has one.
        public var flightNumber: String
        /// The day of the flight in its year, 1...366. The pass does not hold the year.
        public var dayOfYear: Int?
        /// Compartment.
        public var cabin: String?
        /// Without leading zeros: `1A`.
        public var seat: String?
        /// Check-in sequence number, without leading zeros.
        public var sequence: String?
        public var passengerStatus: String?
        /// The designator of the carrier that sold the flight.
        public var marketingCarrier: String?
        /// Airline number and serial number.
        public var ticketNumber: String?
        /// The designator of the airline whose programme the passenger is in.
        public var frequentFlyerAirline: String?
        public var frequentFlyerNumber: String?
        /// The allowance as written, such as `20K` or `1PC`.
        public var freeBaggage: String?
        /// `Y` or `N`.
        public var fastTrack: String?
    }

    /// As printed: `LAST/FIRST MR`.
    public var passengerName: String
    public var isElectronicTicket: Bool
    /// One to four flights, in the order of the pass.
    public var legs: [Leg]
    /// The day of issue: digit of the year, then day of the year.
    public var issued: String?
    /// `B` boarding pass, `I` itinerary receipt.
    public var documentType: String?
    /// The designator of the airline that issued the pass.
    public var issuer: String?

    static let fieldNames = [
        "passenger_name", "electronic_ticket", "legs", "issued", "document_type", "issuer",
    ]

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("passenger_name", passengerName, shown: true)
        fields.add("electronic_ticket", flag: isElectronicTicket)
        fields.add("legs", legs.map(\.fields), shown: true)
        fields.add("issued", issued)
        fields.add("document_type", documentType)
        fields.add("issuer", issuer)
        return fields
    }
}

extension BoardingPass.Leg {
    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("pnr", pnr)
        fields.add("from", from, shown: true)
        fields.add("to", to, shown: true)
        fields.add("carrier", carrier, shown: true)
        fields.add("flight_number", flightNumber, shown: true)
        fields.add("day_of_year", dayOfYear)
        fields.add("cabin", cabin)
        fields.add("seat", seat, shown: true)
        fields.add("sequence", sequence)
        fields.add("passenger_status", passengerStatus)
        fields.add("marketing_carrier", marketingCarrier)
        fields.add("ticket_number", ticketNumber)
        fields.add("frequent_flyer_airline", frequentFlyerAirline)
        fields.add("frequent_flyer_number", frequentFlyerNumber)
        fields.add("free_baggage", freeBaggage)
        fields.add("fast_track", fastTrack)
        return fields
    }
}
