// SPDX-License-Identifier: Apache-2.0
import Observations

/// The metrics of a table in a reply.
struct MetricsReply<Key: MetricKey>: Decodable {
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private var numbers: [Int: Double] = [:]
    private var rates: [Int: Double] = [:]

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Name.self)
        for key in Key.allCases {
            let row = key.row
            var members = object
            if let group = row.group.map(Name.init) {
                guard object.contains(group) else { continue }
                members = try object.nestedContainer(keyedBy: Name.self, forKey: group)
            }
            numbers[key.rawValue] = try members.decodeIfPresent(Double.self, forKey: Name(stringValue: row.name))
            if let rate = row.rate {
                rates[key.rawValue] = try members.decodeIfPresent(Double.self, forKey: Name(stringValue: rate))
            }
        }
    }

    /// The value in the row's unit, with thousandths as a fraction; nil if the reply omits the value.
    subscript(key: Key) -> Double? { numbers[key.rawValue] }

    /// The increase per second; nil if the reply omits the rate.
    func perSecond(_ key: Key) -> Double? { rates[key.rawValue] }

    /// The metrics greater than 0, in the order of the rows.
    var positive: [(key: Key, number: Int)] {
        Key.allCases.compactMap { key in
            guard let number = self[key], number > 0 else { return nil }
            return (key, Int(number))
        }
    }
}
