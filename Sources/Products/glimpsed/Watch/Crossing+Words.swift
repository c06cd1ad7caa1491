// SPDX-License-Identifier: Apache-2.0
import GlimpseClient

extension Crossing {
    /// `object 7 crosses door in (12 in, 9 out)`
    var sentence: String {
        let totals = totalIn.flatMap { crossedIn in totalOut.map { " (\(crossedIn) in, \($0) out)" } }
        return "\(kind) \(id) crosses \(line) \(direction)\(totals ?? "")"
    }
}
