// SPDX-License-Identifier: Apache-2.0
@testable import Tapes

extension FuzzTarget {
    /// The payload of a tape's record. A record that was read and written is read again with equal bytes.
    static let tape = FuzzTarget(name: "tape") { input in
        let lanes = ["barcode", "face"]
        guard let record = try? TapeRecord(payload: input[...], lanes: lanes) else { return }
        var (once, twice): ([UInt8], [UInt8]) = ([], [])
        record.put(to: &once)
        guard let again = try? TapeRecord(payload: once[...], lanes: lanes) else {
            throw Broken(description: "not read again: \(once)")
        }
        again.put(to: &twice)
        try require(once == twice, "\(once) and \(twice)")
    }
}
