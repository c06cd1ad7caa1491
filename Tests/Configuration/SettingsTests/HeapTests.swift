// SPDX-License-Identifier: Apache-2.0
import CHeap
import Foundation
import Testing

@testable import Settings

/// A daemon is reloaded for years. Reading a configuration must release all memory that it takes.
struct HeapTests {
    @Test func readingSettingsLeavesNoHeapBlocks() async {
        // The test runs in a separate process, without the allocations of other tests.
        await #expect(processExitsWith: .success) {
            try withFolder { folder in
                try folder.write("config.toml", "[daemon]\n[events]\nqueue = \"1MiB\"\n")
                let door = "[source]\nkind = \"test\"\n[face]\nroi = [0, 0, 1, 1]\n[[zone]]\nname = \"desk\"\n"
                try folder.write("pipelines/door.toml", door + "polygon = [[0, 0], [1, 0], [1, 1]]\n")
                try folder.write("pipelines/key.toml", door + "[tags]\nplace = 1979-05-27\n")
                try folder.write("pipelines/syntax.toml", door + "a = \"\"\"\nb\n")
                try folder.write("pipelines/assertion.toml", door + "[=\n")
                let file = folder.appending(path: "config.toml").path
                func read(_ count: Int) {
                    for _ in 0..<count {
                        let check = ConfigurationCheck(file: file)
                        #expect(check.files.count == 1 && check.problems.count == 3)
                    }
                }
                read(50)
                let before = heap_in_use()
                read(600)
                #expect(heap_in_use() == before)
            }
        }
    }
}
