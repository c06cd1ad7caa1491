// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Frames
import Observations
import PictureRelease

/// Writes the newest frames of a run to a file that outlives the process. Each frame is written to the kernel's page
/// cache before a detector receives it.
///
/// The file is YUV4MPEG2 in I420, which GStreamer's `y4mdec` and other players read. Grey pictures have grey chroma.
/// The mode is 0600.
///
/// The file is a ring: the frame after the newest one is the oldest. `XNUMBER` in each frame's header is its number in
/// the epoch. A frame may be torn if the process ended during its write.
struct LastFrames {
    static let count = 8
    /// The limit for large pictures: fewer frames are kept, but at least one.
    static let maximumBytes = 64 << 20

    private let path: String
    private let complain: (String) -> Void
    private var file: File?
    private var isBroken = false

    /// A file for one picture size.
    private struct File {
        var descriptor: Int32
        var width: Int
        var height: Int
        var headerBytes: Int
        var slots: Int
        var next = 0
        /// The header line and the planes of a frame.
        var bytes: [UInt8] = []

        var frameBytes: Int { File.frameHeader(0).count + Self.pictureBytes(width, height) }

        static func pictureBytes(_ width: Int, _ height: Int) -> Int {
            width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
        }

        /// The header of a frame; its length is constant.
        static func frameHeader(_ number: UInt64) -> [UInt8] {
            let digits = String(number)
            return Array("FRAME XNUMBER=\(String(repeating: "0", count: 20 - digits.utf8.count))\(digits)\n".utf8)
        }
    }

    /// - Parameter complain: called once with a message if the frames cannot be kept.
    init(_ path: String, complain: @escaping (String) -> Void) {
        self.path = path
        self.complain = complain
    }

    mutating func write(_ picture: ReleasedPicture) {
        guard !isBroken else { return }
        let frame = picture.frame
        if file?.width != frame.width || file?.height != frame.height {
            close()
            file = open(frame.width, frame.height)
        }
        guard var file else { return giveUp() }
        file.bytes.removeAll(keepingCapacity: true)
        file.bytes += File.frameHeader(frame.info.sequence)
        frame.appendPlanar(to: &file.bytes)
        let offset = file.headerBytes + file.next * file.frameBytes
        let written = pwrite(file.descriptor, file.bytes, file.bytes.count, off_t(offset))
        file.next = (file.next + 1) % file.slots
        let isWhole = written == file.bytes.count
        self.file = file
        if !isWhole { giveUp() }
    }

    private func open(_ width: Int, _ height: Int) -> File? {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        // The frame rate has no meaning: the file contains the frames that the detectors received, not a film.
        let header = Array("YUV4MPEG2 W\(width) H\(height) F1:1 Ip A1:1 C420jpeg\n".utf8)
        let slots = min(Self.count, max(1, Self.maximumBytes / File.pictureBytes(width, height)))
        let file = File(
            descriptor: descriptor, width: width, height: height, headerBytes: header.count, slots: slots)
        guard pwrite(descriptor, header, header.count, 0) == header.count else {
            Glibc.close(descriptor)
            return nil
        }
        return file
    }

    private mutating func close() {
        if let file { Glibc.close(file.descriptor) }
        file = nil
    }

    private mutating func giveUp() {
        complain("warning: crash_dump: \(path): \(String(cString: strerror(errno))); no frames are stored")
        isBroken = true
        close()
    }
}

extension Frame {
    /// Appends the samples without padding, plane by plane: luma, then blue and red chroma at half size.
    fileprivate func appendPlanar(to bytes: inout [UInt8]) {
        let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
        withPlanes { planes in
            func append(_ plane: Plane, _ width: Int, _ height: Int) {
                for row in 0..<height {
                    bytes += UnsafeBufferPointer(start: plane.base + row * plane.stride, count: width)
                }
            }
            append(planes[0], width, height)
            switch format {
            case .gray8: bytes += repeatElement(128, count: 2 * columns * rows)
            case .i420: for plane in planes.dropFirst() { append(plane, columns, rows) }
            case .nv12:
                for part in 0..<2 {
                    for row in 0..<rows {
                        let samples = planes[1].base + row * planes[1].stride + part
                        for column in 0..<columns { bytes.append(samples[2 * column]) }
                    }
                }
            }
        }
    }
}
