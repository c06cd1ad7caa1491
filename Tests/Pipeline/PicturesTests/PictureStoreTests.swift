// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Observations
import PictureStorage
import Testing

/// A folder of pictures and its limits.
@Suite struct PictureStoreTests {
    private let scope = TestScope(inMemory: true)
    private var folder: String { scope.path("pictures") }

    private func store(
        _ limits: PictureLimits = PictureLimits(), provisionalAge: Duration? = nil, now: Timestamp = .wallClock
    ) throws -> PictureStore {
        try PictureStore(folder: folder, limits: limits, provisionalAge: provisionalAge, now: now)
    }

    private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? [] }

    private func mode(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]) as? Int
    }

    @Test func aPictureAndItsMetadataAreCompleteAndReadableByTheGroupAtMost() throws {
        let store = try store()
        let path = try store.add("a", jpeg: [1, 2, 3], metadata: Array("{}".utf8))
        #expect(path == "\(folder)/a.jpg" && files == ["a.jpg", "a.json"])
        #expect(try TestFile.read(path) == [1, 2, 3])
        #expect(mode(path) == 0o640 && mode("\(folder)/a.json") == 0o640 && mode(folder) == 0o750)
        #expect(store.shelf.bytes == 5)
        _ = try store.add("a", jpeg: [4], metadata: [])
        #expect(store.shelf.entries.count == 1 && store.shelf.bytes == 1)
        store.discard("a")
        #expect(files == [] && store.shelf.bytes == 0)
    }

    /// Files that a killed process leaves behind.
    @Test func aStartRemovesHalfWrittenPictures() throws {
        _ = try store().add("kept", jpeg: [1], metadata: [2])
        for name in [".late.jpg.part", ".late.json.part", "late.json", "gone.saved"] {
            try TestFile.write([7], to: "\(folder)/\(name)")
        }
        try TestFile.write([7], to: "\(folder)/notes.txt")
        let store = try store()
        #expect(files == ["kept.jpg", "kept.json", "notes.txt"])
        #expect(store.shelf.entries.map(\.name) == ["kept"] && store.shelf.bytes == 2)
    }

    @Test func theOldestPicturesAreRemovedFirst() throws {
        let store = try store(PictureLimits(count: 3))
        for name in ["a", "b", "c", "d", "e"] { _ = try store.add(name, jpeg: [1], metadata: []) }
        #expect(files.filter { $0.hasSuffix(".jpg") } == ["c.jpg", "d.jpg", "e.jpg"] && store.evicted == 2)
    }

    @Test func picturesAreBoundedInBytes() throws {
        let store = try store(PictureLimits(bytes: 100))
        for index in 0..<20 { _ = try store.add("p\(index)", jpeg: Array(repeating: 0, count: 30), metadata: [1, 2]) }
        #expect(store.shelf.bytes <= 100 && store.shelf.entries.map(\.name) == ["p17", "p18", "p19"])
        #expect(files.count == 6)
        // A picture that alone exceeds the limit is removed too.
        _ = try store.add("huge", jpeg: Array(repeating: 0, count: 101), metadata: [])
        #expect(files == [] && store.shelf.bytes == 0)
    }

    @Test func anOldPictureIsRemovedAtTheStartAndLater() throws {
        _ = try store().add("a", jpeg: [1], metadata: [])
        let now = Timestamp.wallClock
        let limits = PictureLimits(age: .seconds(60))
        let store = try store(limits, now: now.advanced(byNanoseconds: 30_000_000_000))
        #expect(files == ["a.jpg", "a.json"])
        store.tidy(now: now.advanced(byNanoseconds: 61_000_000_000))
        #expect(files == [])
        _ = try store.add("b", jpeg: [1], metadata: [])
        _ = try self.store(limits, now: .wallClock.advanced(byNanoseconds: 61_000_000_000))
        #expect(files == [])
    }

    @Test func aPictureThatNoSubscriberAcceptsIsRemovedEarly() throws {
        let store = try store(provisionalAge: .seconds(10))
        for name in ["a", "b"] { _ = try store.add(name, jpeg: [1], metadata: []) }
        try TestFile.write([], to: "\(folder)/a.saved")
        store.tidy(now: .wallClock.advanced(byNanoseconds: 11_000_000_000))
        #expect(files == ["a.jpg", "a.json", "a.saved"])
        // The mark is recognised at a start too.
        let later = try self.store(
            provisionalAge: .seconds(10), now: .wallClock.advanced(byNanoseconds: 20_000_000_000))
        #expect(later.shelf.entries.map(\.name) == ["a"] && !later.shelf.entries[0].isProvisional)
    }

    /// Over 10,000 pictures, the folder never exceeds the limits.
    @Test func tenThousandPicturesKeepTheLimits() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // Pictures of an earlier process, more than the limits allow.
        for index in 0..<1000 { try TestFile.write([0, 0, 0, 0], to: "\(folder)/old\(10_000 + index).jpg") }
        let limits = PictureLimits(count: 500, bytes: 3000)
        let store = try store(limits)
        #expect(store.shelf.entries.count == 500)
        var random = SeededRandom(seed: 7)
        for index in 0..<10_000 {
            let size = Int.random(in: 1...40, using: &random)
            _ = try store.add("new\(index)", jpeg: Array(repeating: 1, count: size), metadata: [])
            #expect(store.shelf.entries.count <= 500 && store.shelf.bytes <= 3000)
        }
        let pictures = files.filter { $0.hasSuffix(".jpg") }
        #expect(Set(pictures) == Set(store.shelf.entries.map { "\($0.name).jpg" }))
        #expect(pictures.contains("new9999.jpg") && store.evicted == 11_000 - pictures.count)
        let bytes = try pictures.reduce(0) { try $0 + TestFile.read("\(folder)/\($1)").count }
        #expect(bytes == store.shelf.bytes)
    }
}
