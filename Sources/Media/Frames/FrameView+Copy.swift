import Observations

extension FrameView {
    /// Copies the view into a frame with memory of its own. The copy holds no buffer of the media pipeline.
    /// Planes are tight. The frame's numbers stay; width and height are the view's. nil for an empty view.
    package func copy() -> Frame? {
        guard !isEmpty else { return nil }
        var info = frame.info
        (info.width, info.height) = (width, height)
        let format = frame.format
        let luma = width * height
        // Chroma of NV12 is a row of pairs, of I420 two rows of halves: half as much as the luma in both.
        let bytes = CopiedBytes(count: format == .gray8 ? luma : luma + luma / 2)
        let source = planes
        let sizes: [(width: Int, height: Int)] =
            switch format {
            case .gray8: [(width, height)]
            case .nv12: [(width, height), (width, height / 2)]
            case .i420: [(width, height), (width / 2, height / 2), (width / 2, height / 2)]
            }
        var offset = 0
        var copies: [Plane] = []
        frame.withPlanes { _ in
            for (plane, size) in zip(source, sizes) {
                let start = bytes.base + offset
                for row in 0..<size.height {
                    (start + row * size.width).update(from: plane.base + row * plane.stride, count: size.width)
                }
                copies.append(Plane(base: UnsafePointer(start), stride: size.width))
                offset += size.width * size.height
            }
        }
        return Frame(info: info, format: format, colour: frame.colour, planes: copies, storage: bytes)
    }
}

/// Memory that is written once, before anybody else has it.
private final class CopiedBytes {
    let base: UnsafeMutablePointer<UInt8>

    init(count: Int) { base = .allocate(capacity: count) }

    deinit { base.deallocate() }
}
