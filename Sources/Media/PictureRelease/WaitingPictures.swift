// SPDX-License-Identifier: Apache-2.0
/// Pictures that wait for their decisions, in the order of their frames.
///
/// Without room a new picture replaces the newest one. The oldest ones stay, because a slow detector may be looking at
/// one of their frames. The newest one stays, because that detector takes its frame next.
package struct WaitingPictures: Sendable {
    private let limit: Int
    private var pictures: [HeldPicture] = []
    /// The number of pictures that were given up.
    package private(set) var givenUp: UInt64 = 0

    package init(limit: Int) { self.limit = limit }

    package mutating func add(_ picture: HeldPicture) {
        if pictures.count == limit {
            pictures.removeLast()
            givenUp += 1
        }
        pictures.append(picture)
    }

    /// Removes the pictures whose decisions have been made.
    ///
    /// - Returns: the newest of them that may leave.
    package mutating func takeDecided() -> HeldPicture? {
        let newest = pictures.last { $0.mayLeave == true }
        pictures.removeAll { $0.mayLeave != nil }
        return newest
    }

    package mutating func removeAll() { pictures.removeAll() }
}
