// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif

import Settings

/// Where this installation keeps models and the demo's picture.
package struct ResourceFolders: Sendable, Equatable {
    /// Folders that may hold `models` and `demo`, best first.
    package let roots: [String]
    /// The folders above this program: a checkout has the catalogue of models in one, and what set-up fetched in its
    /// `.deps`.
    private let ancestors: [String]
    /// The configured folder of models; it comes before all others.
    package let modelsFolder: String?
    package let cacheFolder: String?

    /// - Parameters:
    ///   - executable: this program's path. An installed worker finds `share/glimpsed` beside its `libexec`; one that
    ///     was built in a checkout finds what set-up put under `.deps`.
    ///   - library: the path of a library that was installed or fetched together with models. The folders above it come
    ///     after those of the program.
    ///   - modelsFolder: `daemon.models_dir`.
    package init(
        executable: String, library: String? = nil, modelsFolder: String? = nil,
        environment: (String) -> String? = Self.variable
    ) {
        var (roots, ancestors): ([String], [String]) = ([], [])
        for path in [executable, library].compactMap(\.self) {
            var folder = path[...]
            for _ in 0..<5 {
                guard let slash = folder.lastIndex(of: "/") else { break }
                folder = folder[..<slash]
                ancestors.append(String(folder))
                roots.append("\(folder)/share/glimpsed")
                roots.append("\(folder)/.deps/share/glimpsed")
            }
        }
        self.ancestors = ancestors
        self.roots = roots + ["/var/lib/glimpsed", "/usr/local/share/glimpsed", "/usr/share/glimpsed"]
        self.modelsFolder = (modelsFolder ?? environment("GLIMPSED_MODELS_DIR")).map(FilePath.absolute)
        cacheFolder =
            environment("CACHE_DIRECTORY")
            ?? (environment("XDG_CACHE_HOME") ?? environment("HOME").map { "\($0)/.cache" }).map { "\($0)/glimpsed" }
    }

    /// All that a worker may read of this installation: its program and libraries, models and the demo's picture. Some
    /// are not there.
    package var readable: [String] {
        (modelsFolder.map { [$0] } ?? []) + roots.flatMap { ["\($0)/models", "\($0)/demo"] }
            + ancestors.prefix(1) + ancestors.map { "\($0)/lib/glimpsed" }
            + checkouts.flatMap { ["\($0)/.deps", "\($0)/models"] }
    }

    /// Folders above this program that set-up has fetched things into.
    private var checkouts: [String] {
        ancestors.filter { access("\($0)/.deps/share/glimpsed", F_OK) == 0 }
    }

    package static func ofThisProcess(library: String? = nil, modelsFolder: String? = nil) -> ResourceFolders {
        ResourceFolders(executable: executablePath, library: library, modelsFolder: modelsFolder)
    }

    package var models: ModelLibrary {
        let folders =
            (modelsFolder.map { [$0] } ?? []) + roots.map { "\($0)/models" } + checkouts.map { "\($0)/models" }
        return ModelLibrary(folders: folders.filter { access($0, F_OK) == 0 }, cacheFolder: cacheFolder)
    }

    /// The demo's photograph; nil when it is not installed.
    package var demoPicture: String? {
        roots.lazy.map { "\($0)/demo/astronaut.png" }.first { access($0, R_OK) == 0 }
    }

    /// The folder of the live page's files; nil when it is not installed.
    package var pageFolder: String? {
        (roots + checkouts).lazy.map { "\($0)/web" }.first { access("\($0)/index.html", R_OK) == 0 }
    }

    private static var executablePath: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            let length = readlink("/proc/self/exe", base, Int(PATH_MAX))
            guard length > 0 else { return "" }
            return String(decoding: UnsafeRawBufferPointer(buffer).prefix(length), as: UTF8.self)
        }
    }

    package static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
