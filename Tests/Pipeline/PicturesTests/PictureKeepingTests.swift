// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Observations
import PictureStorage
import Testing

/// Accepted pictures, and the pictures of removed pipelines.
@Suite struct PictureKeepingTests {
    private let scope = TestScope(inMemory: true)
    private var folder: String { scope.path("snapshots") }

    private func files(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? []
    }

    @Test func anAcceptedPictureIsKept() throws {
        scope.write("snapshots/notes.txt", "")
        let store = try PictureStore(
            folder: "\(folder)/door", limits: PictureLimits(), provisionalAge: .seconds(10))
        let paths = try ["a", "b"].map { try store.add($0, jpeg: [1], metadata: []) }
        #expect(PictureStore.accept(paths[0], in: folder) == nil)
        #expect(PictureStore.accept(paths[0], in: folder) == nil)
        store.tidy(now: .wallClock.advanced(byNanoseconds: 11_000_000_000))
        #expect(files("\(folder)/door") == ["a.jpg", "a.json", "a.saved"])
    }

    @Test func onlyNamesOfPicturesAreAccepted() throws {
        let outside = scope.write("passwords.jpg", "secret")
        let kept = scope.write("snapshots/door/a.jpg", "picture")
        scope.write("snapshots/door.jpg", "by command")
        scope.write("snapshots/door/a.json", "{}")
        scope.write("snapshots/door/.b.jpg", "half")
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/door/link.jpg", withDestinationPath: outside)
        try FileManager.default.createDirectory(atPath: "\(folder)/door/folder.jpg", withIntermediateDirectories: true)
        for file in [
            outside, "\(folder)/../passwords.jpg", "\(folder)/door/../../passwords.jpg", "\(folder)/door.jpg",
            "\(folder)/door/a.json", "\(folder)/door/.b.jpg", "\(folder)/door/link.jpg", "\(folder)/door/folder.jpg",
            "\(folder)/door/none.jpg", "\(folder)//a.jpg", "\(folder)/./door/a.jpg", folder, "", "a.jpg",
        ] {
            #expect(PictureStore.accept(file, in: folder) == "\(file): not a picture stored in \(folder)")
        }
        let saved = try FileManager.default.subpathsOfDirectory(atPath: scope.folder).filter { $0.hasSuffix(".saved") }
        #expect(saved == [] && files("\(folder)/door").contains("a.jpg") && !kept.isEmpty)
    }

    @Test func pictureFoldersOfRemovedPipelinesKeepTheLimits() throws {
        for name in ["door", "porch"] {
            for index in 0..<5 {
                scope.write("snapshots/\(name)/p\(index).jpg", "picture")
                scope.write("snapshots/\(name)/p\(index).json", "{}")
            }
            scope.write("snapshots/\(name).jpg", "by command")
            scope.write("snapshots/\(name).json", "{}")
        }
        scope.write("snapshots/porch/.late.jpg.part", "half")
        let limits = PictureLimits(age: .seconds(60), count: 3)
        #expect(ForgottenPictures.tidy(folder, known: ["door"], limits: limits) == 2)
        #expect(files("\(folder)/door").count == 10)
        #expect(files("\(folder)/porch").count == 6)
        let later = Timestamp.wallClock.advanced(byNanoseconds: 62_000_000_000)
        #expect(ForgottenPictures.tidy(folder, known: ["door"], limits: limits, now: later) == 5)
        #expect(files(folder) == ["door"])
        // The cleaning leaves other files alone, and their folder too.
        scope.write("snapshots/old/notes.txt", "")
        #expect(ForgottenPictures.tidy(folder, known: ["door"], limits: limits, now: later) == 0)
        #expect(files("\(folder)/old") == ["notes.txt"])
        #expect(ForgottenPictures.tidy(scope.path("nowhere"), known: []) == 0)
    }
}
