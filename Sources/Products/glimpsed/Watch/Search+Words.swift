// SPDX-License-Identifier: Apache-2.0
import GlimpseClient

extension Search {
    /// A line for people: the state of the search, its object, and a hint.
    var words: String {
        var parts = [state.replacing("_", with: " ")]
        if let progress, state != "confirmed" { parts.append("\(Int(progress * 100)) %") }
        if let track { parts.append("\(kind) \(track)") }
        if let name = barcode?.display ?? object?.labels.first?.text { parts.append(name) }
        if let id { parts.append("search \(id)") }
        var words = parts.joined(separator: " ")
        if let best = results.first {
            words += ": \(best.title)\(results.count > 1 ? " and \(results.count - 1) more" : "")"
        } else if let outcome, outcome != "value" {
            words += ": \((reason ?? outcome).replacing("_", with: " "))"
        }
        // The text of these two hints repeats the state.
        guard let hint, !["searching", "found"].contains(hint.code) else { return words }
        return "\(words) (\([hint.text, hint.help].compactMap(\.self).joined(separator: ", ")))"
    }
}
