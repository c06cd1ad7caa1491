// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import Settings
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A source releases everything that it holds.
@Suite(.serialized) struct LeakTests {
    private let scope = TestScope()

    private func entries(_ folder: String) -> Int {
        guard let directory = opendir(folder) else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }

    /// Other suites run at the same time, so the test looks for growth with the number of sources. A leak of one
    /// descriptor, thread or frame (1.4 MB) per source would show.
    @Test func twoHundredSourcesLeakNothing() throws {
        let film = try MediaMaker.film(
            scope.path("f.avi"), frames: 3, width: 1280, height: 720, encoding: "jpegenc ! avimux")
        func once() {
            #expect(FrameReader(SourceSettings(kind: .file(path: film))).frames.count == 3)
            _ = FrameReader(launch: "nosuchelement")
            _ = FrameReader(launch: "videotestsrc ! tee name=t t. ! queue t. ! queue")
        }
        for _ in 0..<20 { once() }
        let before = (files: entries("/proc/self/fd"), threads: entries("/proc/self/task"), memory: residentBytes())
        for _ in 0..<200 { once() }
        #expect(entries("/proc/self/fd") < before.files + 60)
        #expect(entries("/proc/self/task") < before.threads + 60)
        #expect(residentBytes() < before.memory + (150 << 20))
    }

    private func residentBytes() -> Int {
        let text = String(decoding: (try? TestFile.read("/proc/self/statm")) ?? [], as: UTF8.self)
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }
}
