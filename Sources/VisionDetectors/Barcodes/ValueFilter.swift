import Observations
import Settings

/// The policies on values: which symbols become detections at all.
struct ValueFilter {
    private let allow: [ValuePattern]
    private let deny: [ValuePattern]

    init(allow: [ValuePattern], deny: [ValuePattern]) {
        self.allow = allow
        self.deny = deny
    }

    /// A value passes when one of `allow` (or there is none) and none of `deny` is found in its text. Bytes that are not text have none.
    func admits(_ barcode: Barcode) -> Bool {
        if allow.isEmpty, deny.isEmpty { return true }
        guard let text = barcode.raw else { return allow.isEmpty }
        if !allow.isEmpty, !allow.contains(where: { $0.isFound(in: text) }) { return false }
        return !deny.contains { $0.isFound(in: text) }
    }
}
