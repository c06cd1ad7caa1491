// SPDX-License-Identifier: Apache-2.0
/// A web address.
public struct URLBookmark: Sendable, Equatable {
    /// As written, unless `isRepaired`.
    public var url: String
    /// Only of the forms `MEBKM:` and `URLTO:`.
    public var title: String?
    /// `url` is not as it was written: its scheme was damaged or absent.
    public var isRepaired = false

    /// `http:`, `https:` or `ftp:`, a host alone, `URL:`, `MEBKM:` (NTT docomo's bookmark) or `URLTO:title:address`.
    init?(_ text: TextBytes) {
        if let rest = text.after(ignoringCase: "MEBKM:") {
            let bookmark = BackslashFields(rest)
            guard let address = bookmark.text("URL") else { return nil }
            self.init(address: Array(address.utf8)[...].trimmingWhitespace)
            title = bookmark.text("TITLE")
        } else if let rest = text.after(ignoringCase: "URLTO:") {
            let (title, address) = rest.cut(at: ":")
            guard let address else { return nil }
            self.init(address: address.trimmingWhitespace)
            self.title = title.string.orNil
        } else {
            self.init(address: (text.after(ignoringCase: "URL:") ?? text).trimmingWhitespace)
        }
    }

    private init?(address: TextBytes) {
        if let url = WebAddress.whole(address) {
            self.url = url
        } else if let url = WebAddress.repaired(address) {
            self.url = url
            isRepaired = true
        } else {
            return nil
        }
    }

    static let fieldNames = ["title", "url", "repaired"]

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("title", title, shown: true)
        fields.add("url", url, shown: true)
        fields.add("repaired", ifTrue: isRepaired)
        return fields
    }
}
