// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import Observations
import Settings
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// GIF films through the real decoder.
@Suite(.serialized) struct GIFFilmTests {
    private let scope = TestScope()

    private func film(_ bytes: [UInt8]) throws -> SourceSettings {
        let path = scope.path("film.gif")
        try TestFile.write(bytes, to: path)
        return SourceSettings(kind: .file(path: path))
    }

    @Test(arguments: [1, 2, 30])
    func aGIFGivesEveryPictureAtItsTimeAndEnds(count: Int) throws {
        let pictures = (0..<count).map { GIFFilm.Picture(grey: UInt8(10 + 3 * $0), hundredths: 4 + $0 % 3) }
        let read = FrameReader(try film(GIFFilm.bytes(width: 64, height: 48, pictures: pictures)))
        #expect(read.error == nil && !read.isOverdue)
        #expect(read.infos.map(\.sequence) == Array(1...UInt64(count)))
        var start: Int64 = 0
        for (info, picture) in zip(read.infos, pictures) {
            #expect(info.presentationTime == start)
            start += Int64(picture.hundredths) * 10_000_000
        }
        // Each picture is brighter than the one before.
        let luma = read.frames.map { $0.meanLuma() }
        #expect(zip(luma, luma.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// A partial picture stays, disappears, or restores the area below it, as its disposal method says.
    @Test func partialPicturesOfAGIFAreComposed() throws {
        let left = (x: 0, y: 0, width: 32, height: 48)
        let read = FrameReader(
            try film(
                GIFFilm.bytes(
                    width: 64, height: 48,
                    pictures: [
                        .init(grey: 20), .init(grey: 100, part: left, disposal: 3),
                        .init(grey: 60, part: (x: 32, y: 0, width: 32, height: 48)),
                        .init(grey: 120, part: left), .init(grey: 20, part: (x: 0, y: 0, width: 1, height: 1)),
                    ])))
        let halves = read.frames.map { (left: $0.meanLuma(0...0.5), right: $0.meanLuma(0.5...1)) }
        try #require(halves.count == 5)
        let dark = halves[0].left
        #expect(abs(halves[0].right - dark) < 2)
        #expect(halves[1].left > dark + 80 && abs(halves[1].right - dark) < 2)
        #expect(abs(halves[2].left - dark) < 2 && halves[2].right > dark + 40)
        #expect(halves[3].left > dark + 100 && abs(halves[3].right - halves[2].right) < 2)
        #expect(abs(halves[4].left - halves[3].left) < 2 && abs(halves[4].right - halves[3].right) < 2)
    }

    @Test func aGIFPlaysOnceUnlessTheSettingsLoopIt() throws {
        var settings = try film(
            GIFFilm.bytes(width: 64, height: 48, pictures: (0..<4).map { .init(grey: 10 * ($0 + 1), hundredths: 5) }))
        guard case .file(let path, _, _) = settings.kind else { return }
        settings.kind = .file(path: path, loop: true)
        let read = FrameReader(try PlaylistSource(settings), most: 11)
        #expect(read.infos.map(\.presentationTime) == (0..<11).map { $0 * 50_000_000 })
    }

    @Test func aGIFInRealTimeTakesItsDuration() throws {
        var settings = try film(
            GIFFilm.bytes(width: 64, height: 48, pictures: (0..<5).map { .init(grey: 10 * ($0 + 1), hundredths: 10) }))
        guard case .file(let path, _, _) = settings.kind else { return }
        settings.kind = .file(path: path, pace: .realtime)
        let started = ContinuousClock.now
        let read = FrameReader(settings)
        #expect(read.error == nil)
        #expect(ContinuousClock.now - started >= .milliseconds(390))
    }

    /// Complete pictures are shown. A film without a complete picture, or with garbage in it, gives one error.
    @Test func damagedGIFsEnd() throws {
        let whole = GIFFilm.bytes(
            width: 64, height: 48, pictures: (0..<12).map { .init(grey: 10 * ($0 % 10 + 1), hundredths: 4) })
        #expect(FrameReader(try film(whole.dropLast(1000))).frames.count == 11)
        #expect(FrameReader(try film(whole.dropLast())).frames.count == 12)
        let path = scope.path("film.gif")
        let cut = FrameReader(try film(Array(whole.prefix(900))))
        #expect(cut.error == SourceError(.unreadable, "\(path): it is cut off before the end of its first picture"))
        let garbage = FrameReader(try film(whole.dropLast() + [1, 2, 3]))
        #expect(garbage.frames.count == 12)
        #expect(
            garbage.error == SourceError(.unreadable, "\(path): it is damaged at byte \(whole.count - 1)"))
    }

    /// No damage makes the source hang. An error is one line about the file.
    @Test func randomlyDamagedGIFsEnd() throws {
        let whole = GIFFilm.bytes(
            width: 64, height: 48, pictures: (0..<6).map { .init(grey: 10 * ($0 % 10 + 1), hundredths: 4) })
        for seed in Fuzz.seeds(60) {
            var random = SeededRandom(seed: seed)
            var bytes = whole
            // The damage may hit the codes of the pictures, but seldom the first bytes, without which the file is not a
            // GIF.
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                bytes[Int.random(in: 6..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let read = FrameReader(try film(bytes))
            #expect(!read.isOverdue, "seed \(seed)")
            #expect(read.error.map { $0.description.hasPrefix(scope.folder) } ?? !read.frames.isEmpty, "seed \(seed)")
            #expect(read.error?.description.contains("\n") != true, "seed \(seed)")
        }
    }

    /// A stop does not wait for the rest of a film, and leaves no file open.
    @Test func aGIFSourceStopsInTheMiddle() throws {
        let settings = try film(
            GIFFilm.bytes(width: 320, height: 240, pictures: (0..<100).map { .init(grey: UInt8($0 + 1)) }))
        for _ in 0..<3 { _ = FrameReader(settings, most: 1) }
        let before = openFiles()
        for round in 0..<40 { #expect(FrameReader(settings, most: 1 + round % 5).frames.count == 1 + round % 5) }
        // Other suites run beside this one.
        #expect(openFiles() < before + 20)
    }

    private func openFiles() -> Int {
        guard let directory = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }
}
