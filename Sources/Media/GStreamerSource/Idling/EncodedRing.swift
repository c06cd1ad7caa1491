// SPDX-License-Identifier: Apache-2.0
/// An encoded frame of a source.
struct EncodedItem<Buffer: Sendable>: Sendable {
    var buffer: Buffer
    /// Counted over all encoded frames, from 1.
    var number: UInt64
    /// In nanoseconds of the stream.
    var time: Int64
    var bytes: Int
    /// Whether the frame depends on no other.
    var isKey = false
}

/// The newest encoded frames of a source, from a key frame on.
///
/// Key-frame idling, clips and viewers read the same frames, so an encoded frame is in memory once. Whole groups of
/// pictures are removed, because a frame without its key frame is of no use.
struct EncodedRing<Buffer: Sendable>: Sendable {
    typealias Item = EncodedItem<Buffer>

    /// How much is kept, in nanoseconds of the stream; 0: only what `append` must keep.
    let duration: Int64
    /// The most that is kept; frames that must be kept may exceed it by one frame.
    let bytesLimit: Int
    /// Without a gap: each number is that of the frame before plus 1.
    private(set) var items: [Item] = []
    private(set) var bytes = 0
    private(set) var lastTime: Int64 = 0
    /// Whether a group of pictures has been larger than `bytesLimit`.
    private(set) var hasOverflowed = false

    /// The time from the first frame to the newest, in nanoseconds.
    var length: Int64 { items.first.map { lastTime - $0.time } ?? 0 }

    /// Adds a frame, and removes frames that are too old or too many. A frame that follows no key frame is not added.
    ///
    /// - Parameter needed: the number of a key frame. That frame and all later ones stay. nil: no frame must stay.
    mutating func append(_ item: Item, keeping needed: UInt64?) {
        if duration > 0 || needed != nil, item.isKey || !items.isEmpty {
            lastTime = items.isEmpty ? item.time : max(lastTime, item.time)
            items.append(item)
            bytes += item.bytes
        }
        trim(keeping: needed)
    }

    /// The frames after a number, or all if the frame of that number has been removed.
    func items(after number: UInt64) -> ArraySlice<Item> {
        guard let first = items.first?.number, number >= first else { return items[...] }
        return items.dropFirst(Int(clamping: number - first + 1))
    }

    private mutating func trim(keeping needed: UInt64?) {
        if duration == 0, needed == nil { return removeFirst(items.count) }
        while let next = items.dropFirst().firstIndex(where: \.isKey) {
            let isSpare = bytes > bytesLimit || lastTime - items[next].time >= duration
            guard isSpare, items[next].number <= needed ?? .max else { return }
            removeFirst(next)
        }
        guard bytes > bytesLimit, needed == nil else { return }
        hasOverflowed = true
        removeFirst(items.count)
    }

    private mutating func removeFirst(_ count: Int) {
        for item in items.prefix(count) { bytes -= item.bytes }
        items.removeFirst(count)
    }
}
