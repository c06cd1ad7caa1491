// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// Paths as text: nothing here looks at what stands there.
package enum FilePath {
    /// A relative path starts at the working directory. Absolute paths are returned as they are.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return join(String(cString: folder), path.split(separator: "/").filter { $0 != "." }.joined(separator: "/"))
    }

    /// nil if the path is a bare name.
    static func folder(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    static func join(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") { return path }
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    /// Lower case, without the dot; empty without a suffix.
    static func suffix(of path: String) -> String {
        let name = name(of: path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }
}
