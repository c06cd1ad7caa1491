// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Settings

/// Files that are no configuration files cost one clear error each.
struct FileErrorTests {
    private func problems(_ file: String) -> [String] {
        do throws(ConfigurationErrors) {
            _ = try PipelineSettings.load(file: file)
            return []
        } catch {
            return error.errors.map(\.description)
        }
    }

    @Test func missingAndOversizedFilesAndFoldersAreErrors() throws {
        try withFolder { folder in
            let path = folder.path
            #expect(problems("\(path)/x.toml") == ["\(path)/x.toml: there is no such file or folder"])
            #expect(problems(path) == ["\(path): is a folder; give the file in it"])
            let file = try folder.write("a.toml", "")
            #expect(problems("\(file)/b") == ["\(file)/b: a part of the path is not a folder"])
            // A sparse file of 100 MB, which takes no space on the disk.
            let handle = try FileHandle(forUpdating: URL(filePath: file))
            try handle.truncate(atOffset: 100 << 20)
            #expect(problems(file) == ["\(file): larger than 1MiB; is it configuration?"])
            #expect(problems("/dev/zero") == ["/dev/zero: larger than 1MiB; is it configuration?"])
        }
    }

    @Test func readingAPipeWithoutAWriterDoesNotHang() throws {
        try withFolder { folder in
            let path = folder.appending(path: "pipe").path
            #expect(mkfifo(path, 0o600) == 0)
            #expect(problems(path) == ["\(path): there is no [source] table; it says where the frames come from"])
        }
    }

    @Test func aFileWithoutReadPermissionIsAnError() {
        #expect(BoundedFile.reason(EACCES).problem == "no permission to read it")
        #expect(BoundedFile.reason(EIO).problem.hasPrefix("cannot be read: "))
    }

    private static let notUTF8 = "not UTF-8; save the file in that encoding"
    static let notTexts: [(bytes: [UInt8], message: String)] = [
        ([0x61, 0x3D, 0x22, 0xE9, 0x22], "p.toml:1: \(notUTF8)"),
        ([0x0A, 0xC0, 0x80], "p.toml:2: \(notUTF8)"),
        ([0x0A, 0x0A, 0], "p.toml:3: a NUL byte: not a text file"),
        ([0xFF, 0xFE, 0x61, 0], "p.toml:1: a NUL byte: not a text file"),
        (Array(String(repeating: "a.", count: 300_000).utf8), "p.toml:1: a key of more than 16 parts"),
        (Array("x = ".utf8) + Array(repeating: 0x5B, count: 500_000), "p.toml:1: values nested more than 16 deep"),
    ]

    @Test(arguments: notTexts)
    func aFileThatIsNotTextIsAnError(bytes: [UInt8], message: String) {
        #expect {
            try PipelineSettings.parse(bytes: bytes, file: "p.toml")
        } throws: {
            "\($0)" == message
        }
    }

    @Test func aFileMayHaveAByteOrderMarkAndCarriageReturns() throws {
        let text = "\u{FEFF}[source]\r\nkind = \"test\"\r\n[face]\r\nmin_size = 0.2\r\n"
        #expect(try PipelineSettings.parse(text)[FaceSettings.self]?.minSize == 0.2)
        #expect(
            pipelineProblems("\u{FEFF}\r\nx = 1\r\nsource.kind = \"test\"\r\n").first?.hasPrefix("p.toml:2: ") == true)
    }
}
