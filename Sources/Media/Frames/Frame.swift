// SPDX-License-Identifier: Apache-2.0
import Observations

/// One picture, upright, in memory that the media pipeline owns: mapped once, never copied, read only.
///
/// `storage` is the only owner of the memory, and its `deinit` is the only release. So the memory is given back when
/// the last reference goes, whoever holds it and whatever a detector threw. A frame is handed from thread to thread, so
/// several lanes read it at once.
public final class Frame: @unchecked Sendable {  // Sound: every property is immutable and the planes are never written.
    /// The data of the frame apart from its pixels.
    public let info: FrameInfo
    /// The format of `planes`.
    public let format: PixelFormat
    /// The meaning of the chroma planes.
    public let colour: PictureColour
    /// Luma first. `.nv12` has one chroma plane after it, `.i420` two, `.gray8` none.
    public let planes: [Plane]
    /// From the picture's coded data to this upright picture; without a decoder from the raw picture. nil: nobody
    /// measured it.
    public let decodeTime: Duration?
    package let role: FrameRole
    private let storage: AnyObject

    /// - Parameter storage: owns the memory behind `planes` and gives it back in its `deinit`.
    public convenience init(
        info: FrameInfo, format: PixelFormat, colour: PictureColour = PictureColour(), planes: [Plane],
        decodeTime: Duration? = nil, storage: AnyObject
    ) {
        self.init(
            info: info, format: format, colour: colour, planes: planes, decodeTime: decodeTime, role: .ordinary,
            storage: storage)
    }

    package init(
        info: FrameInfo, format: PixelFormat, colour: PictureColour, planes: [Plane], decodeTime: Duration?,
        role: FrameRole, storage: AnyObject
    ) {
        precondition(
            planes.count == format.planeCount, "\(format) has \(format.planeCount) planes, not \(planes.count)")
        self.info = info
        self.format = format
        self.colour = colour
        self.planes = planes
        self.decodeTime = decodeTime
        self.role = role
        self.storage = storage
    }

    /// The width of the upright picture in pixels.
    public var width: Int { info.width }
    /// The height of the upright picture in pixels.
    public var height: Int { info.height }
    /// The plane of brightness: a byte for each pixel.
    public var luma: Plane { planes[0] }

    /// Runs `body` while the memory is certain to be mapped.
    public func withPlanes<Result, Failure: Error>(
        _ body: (_ planes: [Plane]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(storage) {} }
        return try body(planes)
    }
}

/// Rows of samples; `stride` bytes lie between the starts of two rows and may exceed the row's own bytes.
public struct Plane: @unchecked Sendable {  // Sound: read only, and valid as long as the frame that carries it.
    /// The first byte of the first row.
    public let base: UnsafePointer<UInt8>
    /// The distance of two rows in bytes.
    public let stride: Int

    /// The memory must hold all rows for as long as a frame refers to the plane.
    public init(base: UnsafePointer<UInt8>, stride: Int) {
        self.base = base
        self.stride = stride
    }

    /// These rows from another first sample on.
    public func offset(x: Int, y: Int, bytesPerSample: Int = 1) -> Plane {
        Plane(base: base + y * stride + x * bytesPerSample, stride: stride)
    }
}

/// The layouts that a frame may have. Every other one is converted to one of these by the media pipeline.
public enum PixelFormat: Sendable, Equatable, CaseIterable {
    /// Luma, then interleaved chroma at half size.
    case nv12
    /// Luma, then two chroma planes at half size.
    case i420
    /// Luma only.
    case gray8

    /// The number of planes of a frame in this format.
    public var planeCount: Int {
        switch self {
        case .nv12: 2
        case .i420: 3
        case .gray8: 1
        }
    }

    /// The samples of each plane: bytes of a row, and rows.
    package func planeSizes(width: Int, height: Int) -> [(width: Int, height: Int)] {
        let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
        return switch self {
        case .gray8: [(width, height)]
        case .nv12: [(width, height), (2 * columns, rows)]
        case .i420: [(width, height), (columns, rows), (columns, rows)]
        }
    }
}

extension Frame {
    /// This picture under other numbers. Both share the memory.
    public func with(_ info: FrameInfo) -> Frame {
        Frame(
            info: info, format: format, colour: colour, planes: planes, decodeTime: decodeTime, role: role,
            storage: self)
    }
}
