// SPDX-License-Identifier: Apache-2.0
import EventLog
import Hummingbird
import JSONLines
import Observations

/// The parameters that lists of stored things have in common: `since`, `until` and `limit`.
struct ListQuery {
    private var times: [(name: String, time: Timestamp)] = []
    private let limit: Int

    /// - Throws: `HTTPError` for a text that is no time or no number in the range.
    init(_ request: Request) throws {
        let query = request.uri.queryParameters
        for name in ["since", "until"] {
            guard let text = query.get(name), !text.isEmpty else { continue }
            guard let time = TimeText.parse(text) else {
                throw HTTPError(.badRequest, message: "\(name) is not a time; valid forms are \(TimeText.forms)")
            }
            times.append((name, time))
        }
        guard let limit = Int(query.get("limit") ?? "100"), (1...1000).contains(limit) else {
            throw HTTPError(.badRequest, message: "limit must be a whole number from 1 to 1000")
        }
        self.limit = limit
    }

    func write(to json: inout JSONWriter) {
        for (name, time) in times { json.member(dynamicKey: name, time.rfc3339) }
        json.member("limit", limit)
    }
}
