// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import GlimpseTesting
import Observations
import PictureStorage
import Testing

/// Clips of a folder that workers write to.
@Suite struct StoredClipsTests {
    private let scope = TestScope()
    private static let name = "20261120T080000.250000000Z-66666666"
    private static let later = "20261120T090000.000000000Z-2"
    private var all: Range<Timestamp> { .epoch..<Timestamp(nanoseconds: .max) }

    /// A movie with a timescale of 1000 and a fragment of two frames of 40 ticks.
    private static var video: [UInt8] {
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
            withUnsafeBytes(of: UInt32(8 + content.count).bigEndian, Array.init) + Array(name.utf8) + content
        }
        func numbers(_ numbers: UInt32...) -> [UInt8] {
            numbers.flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) }
        }
        return box("moov", box("trak", box("mdia", box("mdhd", numbers(0, 0, 0, 1000, 0, 0)))))
            + box("moof", box("traf", box("trun", numbers(0x100, 2, 40, 40)))) + box("mdat", [1, 2, 3])
    }

    private func write(_ pipeline: String, _ name: String, suffixes: String...) {
        for suffix in suffixes { scope.write("clips/\(pipeline)/\(name)\(suffix)", bytes: Self.video) }
    }

    @Test func completeClipsAreListedNewestFirst() {
        write("door", Self.name, suffixes: ".mp4", ".jsonl")
        write("door", Self.later, suffixes: ".mp4", ".jsonl")
        write("yard", "20261120T083000.000000000Z-1", suffixes: ".mp4", ".jsonl", ".part")
        write("yard", "20261120T084000.000000000Z-1", suffixes: ".mp4")
        write("yard", "film", suffixes: ".mp4", ".jsonl")
        scope.write("clips/stray.mp4", "")
        let folder = scope.path("clips")
        let clips = StoredClips.list(in: folder, all, limit: 10) { _ in true }
        #expect(clips.map(\.name) == [Self.later, Self.name])
        #expect(clips.last?.from.rfc3339 == "2026-11-20T08:00:00.250000000Z")
        #expect(clips.last?.to.rfc3339 == "2026-11-20T08:00:00.330000000Z")
        #expect(clips.map(\.presentationTime) == [2, 66_666_666])
        #expect(clips.last?.frames == 2 && clips.last?.bytes == Self.video.count)
        #expect(StoredClips.list(in: folder, all, limit: 1) { _ in true }.map(\.name) == [Self.later])
        #expect(StoredClips.list(in: folder, all, limit: 10) { $0 == "yard" }.isEmpty)
        let until = clips.first?.from ?? .epoch
        #expect(StoredClips.list(in: folder, .epoch..<until, limit: 10) { _ in true }.map(\.name) == [Self.name])
        #expect(StoredClips.list(in: scope.path("absent"), all, limit: 10) { _ in true }.isEmpty)
    }

    /// The first frame of a source may come before the one from which presentation times count.
    @Test(arguments: [0, 66_666_666, -124_735_389, .max, .min] as [Int64])
    func aNameHasBothTimesOfTheFirstFrame(presentationTime: Int64) throws {
        let name = ClipName(from: Timestamp(nanoseconds: 1_795_622_400_250_000_000), presentationTime: presentationTime)
        #expect(ClipName(name.text) == name)
        #expect(name.text.hasPrefix("20261125T160000.250000000Z-"))
        for damaged in [name.text + "0x", "+" + name.text, name.text.replacingOccurrences(of: "Z-", with: "Z-+")] {
            #expect(ClipName(damaged) == nil, "\(damaged)")
        }
        #expect(ClipName(String(name.text.dropFirst())) == nil)
    }

    @Test func onlyFilesOfCompleteClipsAreOpened() throws {
        write("door", Self.name, suffixes: ".mp4", ".jsonl")
        write("door", Self.later, suffixes: ".mp4", ".part")
        scope.write("secret/\(Self.name).mp4", "secret")
        let folder = scope.path("clips")
        let (file, size) = try #require(StoredClips.open(.video, of: Self.name, pipeline: "door", in: folder))
        #expect(size == Self.video.count)
        close(file)
        #expect(StoredClips.open(.events, of: Self.later, pipeline: "door", in: folder) == nil)
        #expect(StoredClips.open(.video, of: Self.later, pipeline: "door", in: folder) == nil, "it is being written")
        for pipeline in ["", ".", "..", "../secret", "door/../../secret"] {
            #expect(StoredClips.open(.video, of: Self.name, pipeline: pipeline, in: folder) == nil, "\(pipeline)")
        }
        for name in [
            "", "film", "../door/\(Self.name)", "20261120T080000.25Z-1", "20261120T080000.250000000Z-01",
            "x\(Self.name)", "20261120T080000.250000000Z-",
            "20261120T080000.250000000Z-x",
        ] {
            #expect(StoredClips.open(.video, of: name, pipeline: "door", in: folder) == nil, "\(name)")
        }
        symlink(scope.path("secret"), "\(folder)/link")
        symlink("\(scope.path("secret"))/\(Self.name).mp4", "\(folder)/door/20261120T100000.000000000Z-3.mp4")
        mkfifo("\(folder)/door/20261120T110000.000000000Z-4.mp4", 0o600)
        #expect(StoredClips.open(.video, of: Self.name, pipeline: "link", in: folder) == nil)
        #expect(StoredClips.open(.video, of: "20261120T100000.000000000Z-3", pipeline: "door", in: folder) == nil)
        #expect(StoredClips.open(.video, of: "20261120T110000.000000000Z-4", pipeline: "door", in: folder) == nil)
        #expect(StoredClips.list(in: folder, all, limit: 10) { $0 == "link" }.isEmpty)
    }
}
