// SPDX-License-Identifier: Apache-2.0
import Observations

/// The kinds that `--kind` accepts.
enum KindArgument {
    static func problem(_ text: String) -> String {
        let kinds = FeatureKind.builtIn.map(\.rawValue).joined(separator: ", ")
        return "unknown kind \"\(text)\"; choose one of \(kinds), or the kind of another detector of the configuration"
    }
}
