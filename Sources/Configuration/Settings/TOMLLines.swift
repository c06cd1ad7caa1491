// SPDX-License-Identifier: Apache-2.0
/// Where a text's keys stand first, and the elements of its arrays that begin on another line than the array's key or
/// have keys themselves. Elements go by index: `["zone", "0", "name"]`.
struct TOMLLines: Sendable, Equatable {
    /// From 1; nil for the text as a whole.
    private(set) var line: Int?
    var members: [String: TOMLLines] = [:]

    init(at line: Int? = nil) { self.line = line }

    subscript(path: [String]) -> Int? {
        path.reduce(self as TOMLLines?) { $0?.members[$1] }?.line
    }

    /// The line of the key, or of the innermost table around it that stands in the text.
    func nearest(to path: [String]) -> Int? {
        var place = self
        for part in path {
            guard let inner = place.members[part] else { break }
            place = inner
        }
        return place.line
    }
}
