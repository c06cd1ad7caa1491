import BarcodeValues
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

    /// A value passes (nil) when one of `allow` (or there is none) and none of `deny` is found in its text. Bytes that
    /// are not text have none.
    func refusal(of barcode: Barcode) -> Explanation.Untracked.Cause? {
        let text = barcode.raw
        func isFound(_ pattern: ValuePattern) -> Bool { text.map(pattern.isFound) ?? false }
        if !allow.isEmpty, !allow.contains(where: isFound) { return .notAllowed }
        return deny.contains(where: isFound) ? .denied : nil
    }
}
