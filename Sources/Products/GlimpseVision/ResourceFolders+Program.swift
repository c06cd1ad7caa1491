// SPDX-License-Identifier: Apache-2.0
import Glibc
import Installation

extension ResourceFolders {
    /// The folders of the program that uses this library.
    ///
    /// The program may be in any folder. Set-up and packages put OpenVINO's library near the models, so the folders
    /// near that library are searched too.
    static let ofThisProgram = ResourceFolders.ofThisProcess(library: pathOfLoadedLibrary("libopenvino.so"))
}

/// The path of a loaded shared library, from the kernel's list of mappings (proc(5)). nil if no such library is loaded.
private func pathOfLoadedLibrary(_ name: String) -> String? {
    guard let maps = fopen("/proc/self/maps", "re") else { return nil }
    defer { fclose(maps) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, maps) > 0, let line {
        let text = String(cString: line)
        guard let slash = text.firstIndex(of: "/"), text.contains("/\(name)") else { continue }
        return text[slash...].split(separator: "\n").first.map(String.init)
    }
    return nil
}
