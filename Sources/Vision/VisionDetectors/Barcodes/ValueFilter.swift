// SPDX-License-Identifier: Apache-2.0
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

    /// A value passes (nil) if its text matches one of `allow`, or `allow` is empty, and matches none of `deny`. Bytes
    /// that are not text match nothing.
    func refusal(of barcode: Barcode) -> Explanation.Untracked.Cause? {
        let text = barcode.raw
        func isFound(_ pattern: ValuePattern) -> Bool { text.map(pattern.isFound) ?? false }
        if !allow.isEmpty, !allow.contains(where: isFound) { return .notAllowed }
        return deny.contains(where: isFound) ? .denied : nil
    }
}
