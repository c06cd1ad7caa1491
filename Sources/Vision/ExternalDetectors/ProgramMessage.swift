// SPDX-License-Identifier: Apache-2.0
/// The lines that a program receives. docs/reference/detectors.md describes them.
enum ProgramMessage {
    static let version = 1

    /// The first line: the places of pictures in the ring, and the largest picture.
    static func greeting(_ layout: RingLayout) -> String {
        "{\"protocol\":\(version),\"slots\":\(RingLayout.slots),\"slot_bytes\":\(layout.slotBytes),"
            + members(layout.largest) + "}\n"
    }

    /// - Parameters:
    ///   - time: of the frame in nanoseconds, on the stream's clock.
    ///   - region: the part to look at in pixels of the picture: x, y, width, height.
    static func frame(
        _ number: UInt64, slot: Int, _ picture: RingLayout.Picture, time: Int64, region: [Int]
    ) -> String {
        "{\"frame\":\(number),\"slot\":\(slot),\(members(picture)),\"time_ns\":\(time),"
            + "\"roi\":[\(region.map(\.description).joined(separator: ","))]}\n"
    }

    private static func members(_ picture: RingLayout.Picture) -> String {
        "\"width\":\(picture.width),\"height\":\(picture.height),\"stride\":\(picture.stride),"
            + "\"format\":\"\(picture.format.rawValue)\""
    }
}
