// SPDX-License-Identifier: Apache-2.0
import Foundation
import FragmentedVideo
import Frames
import GlimpseTesting
import Observations
import Testing

@testable import PictureStorage

@Suite struct ClipFolderTests {
    private let scope = TestScope()

    private static func name(_ nanoseconds: Int64) -> ClipName {
        ClipName(from: Timestamp(nanoseconds: nanoseconds), presentationTime: 7)
    }

    /// A fragmented film of 45 frames in three seconds.
    private func film() throws -> [UInt8] {
        let path = scope.path("film.mp4")
        try MediaMaker.film(
            path, frames: 45, rate: "15/1",
            encoding: "openh264enc gop-size=300 ! h264parse ! mp4mux fragment-duration=1000 streamable=true")
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func folder(bytes: Int = 1 << 30) throws -> ClipFolder {
        try ClipFolder(folder: scope.path("clips"), limits: PictureLimits(count: .max, bytes: bytes))
    }

    /// Begins a clip and leaves it as a killed worker does.
    private func leave(_ bytes: some Sequence<UInt8>, events: String = "{}\n{}\n{") throws {
        let clips = try folder()
        try clips.begin(Self.name(5), reasons: ["face", "zone:a"])
        try clips.write(Array(bytes), events: Array(events.utf8))
    }

    @Test func aWholeClipKeepsItsBytesAndReasons() throws {
        let bytes = try film()
        let clips = try folder()
        try clips.begin(Self.name(5), reasons: ["face"])
        try clips.write(bytes, events: Array("{}\n".utf8))
        let clip = try #require(clips.finish())
        #expect(clip.frames == 45 && clip.bytes == bytes.count && clip.reasons == ["face"])
        #expect(clip.name == Self.name(5) && clip.to.nanoseconds == 3_000_000_005)
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: clip.file))) == bytes)
        #expect(try String(contentsOfFile: clip.events, encoding: .utf8) == "{}\n")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: clips.folder).sorted()
                == ["19700101T000000.000000005Z-7.jsonl", "19700101T000000.000000005Z-7.mp4"])
    }

    /// The clip ends at any byte.
    @Test func wholeFragmentsOfAKilledWorkersClipAreKept() throws {
        let bytes = try film()
        var frames: Set<Int> = []
        for length in Array(stride(from: 0, to: bytes.count, by: 997)) + [bytes.count] {
            try leave(bytes.prefix(length))
            let clips = try folder()
            let recovered = clips.recover()
            guard let clip = recovered.first else {
                #expect(clips.isEmpty)
                #expect(try FileManager.default.contentsOfDirectory(atPath: clips.folder).isEmpty)
                frames.insert(0)
                continue
            }
            frames.insert(clip.frames)
            #expect(clip.reasons == ["face", "zone:a"] && clip.bytes <= length && clip.name == Self.name(5))
            let video = try #require(FragmentedFile(clip.file))
            #expect(video.frames == clip.frames && video.bytes == clip.bytes)
            #expect(try String(contentsOfFile: clip.events, encoding: .utf8) == "{}\n{}\n")
            #expect(try folder().recover().isEmpty)
        }
        #expect(frames == [0, 15, 30, 45])
    }

    @Test func garbageIsNoClip() throws {
        for byte in [UInt8(0), 1, 255] {
            try leave([UInt8](repeating: byte, count: 5000))
            #expect(try folder().recover().isEmpty)
        }
    }

    /// A fragment whose frames last for centuries, by a damaged time scale.
    @Test func aClipMayClaimAnyDuration() throws {
        let frame = MovieFragment.Frame(duration: .max, isKey: true, content: [0])
        let fragment = MovieFragment(number: 1, time: 0, frames: [frame, frame, frame])
        let video = VideoDescription(width: 2, height: 2, configuration: [1, 2, 3, 4])
        var bytes = MovieHeader.bytes(video)
        let scale = try #require(Data(bytes).range(of: Data("mdhd".utf8))).upperBound + 12
        bytes.replaceSubrange(scale..<(scale + 4), with: [0, 0, 0, 1])
        try leave(bytes + fragment.bytes)
        let clip = try #require(try folder().recover().first)
        #expect(clip.frames == 3 && FragmentedFile(clip.file)?.duration == .max)
    }

    @Test func theOldestClipsGoFirst() throws {
        let bytes = try film()
        let clips = try folder(bytes: bytes.count * 5 / 2)
        for time in 1...4 {
            try clips.begin(Self.name(Int64(time)), reasons: [])
            try clips.write(bytes, events: [])
            #expect(clips.finish() != nil)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: clips.folder).sorted()
        #expect(names == [Int64(3), 4].flatMap { ["\(Self.name($0).text).jsonl", "\(Self.name($0).text).mp4"] })
    }

    @Test func aClipWithoutItsFileIsNoClip() throws {
        let clips = try folder()
        try clips.begin(Self.name(0), reasons: [])
        try clips.write(try film(), events: [])
        try FileManager.default.removeItem(atPath: "\(clips.folder)/\(Self.name(0).text).mp4")
        #expect(clips.finish() == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: clips.folder).isEmpty)
    }
}
