// SPDX-License-Identifier: Apache-2.0
import EventLines

extension StreamSchema {
    static let clip = Members(
        [.pipeline, .file, .events, .clipFrom, .clipTo, .presentationTime, .frames, .bytes, .reasons],
        [
            .file: nonEmptyText, .events: nonEmptyText, .clipFrom: time, .clipTo: time,
            .presentationTime: .integer, .frames: .count(from: 1),
            .bytes: .count(from: 1), .reasons: .list(nonEmptyText), .recovered: .alwaysTrue,
        ])
}
