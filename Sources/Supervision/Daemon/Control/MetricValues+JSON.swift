// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

extension JSONWriter {
    /// Encodes a table of metrics in the order of its rows.
    ///
    /// - Parameter perSecond: the increase of a counter per second; nil if it is unknown.
    mutating func members<Key: MetricKey>(
        _ values: MetricValues<Key>, perSecond: (Key) -> Double? = { _ in nil }
    ) {
        let keys = Key.allCases.filter { values[$0] > 0 || !$0.row.isAbsentAtZero }
        var rest = keys[...]
        while let group = rest.first.map(\.row.group) {
            let members = rest.prefix { $0.row.group == group }
            rest.removeFirst(members.count)
            func write(_ json: inout JSONWriter) {
                for key in members { json.member(key.row, values[key], perSecond: perSecond(key)) }
            }
            if let group { object(dynamicKey: group, write) } else { write(&self) }
        }
    }

    private mutating func member(_ row: MetricRow, _ number: UInt64, perSecond: Double?) {
        switch row.unit {
        case .thousandths: member(dynamicKey: row.name, Double(number) / 1000)
        case .frames, .detections, .tracks, .faces, .pictures, .bytes, .milliseconds, .microseconds:
            member(dynamicKey: row.name, number)
        }
        // Rates are rounded to tenths, because more digits are noise.
        if let rate = row.rate, let perSecond { member(dynamicKey: rate, (perSecond * 10).rounded() / 10) }
    }
}
