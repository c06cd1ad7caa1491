// SPDX-License-Identifier: Apache-2.0
import Installation
import JSONLines
import ModelCatalog

extension ModelEntry {
    /// One line of JSON with its newline.
    func line(in library: ModelLibrary) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("name", name)
            json.member("kind", kind.rawValue)
            json.member("gives", gives)
            json.member("licence", licence)
            if let accuracy { json.member("accuracy", accuracy) }
            json.member("verified", verified)
            json.member("installed", library.isInstalled(self))
            json.array("files") { json in
                for file in files { file.encode(to: &json, in: library) }
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

extension ModelFile {
    fileprivate func encode(to json: inout JSONWriter, in library: ModelLibrary) {
        json.object { json in
            json.member("name", name)
            if let url { json.member("url", url) }
            if let bytes { json.member("bytes", bytes) }
            if let sha256 { json.member("sha256", sha256) }
            if let path = library.path(of: self) { json.member("path", path) }
        }
    }
}
