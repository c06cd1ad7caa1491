// SPDX-License-Identifier: Apache-2.0
import CSandbox

#if canImport(Glibc)
    import Glibc
#endif

/// The access rights of a worker after `enter`. The type is a value, so that the rights can be read and tested.
package struct Sandbox: Sendable, Equatable {
    package enum Sockets: Int32, Sendable {
        case none
        /// TCP and UDP sockets.
        case internet
        /// TCP, UDP and Unix sockets.
        case any
    }

    /// Readable files and folders with their contents. A path that does not exist at `enter` stays inaccessible.
    package var readable: Set<String> = []
    /// Programs, and folders of programs with all else in them, that the process may become.
    package var programs: Set<String> = []
    /// Files and folders in which files and folders may also be created, changed and removed.
    package var writable: Set<String> = []
    /// Device files, and folders of device files.
    package var devices: Set<String> = []
    package var sockets = Sockets.none

    package init() {}

    /// Drops all other rights permanently, as far as the kernel supports it (`SandboxSupport`), for this process and
    /// its children. Call it while the process has one thread.
    ///
    /// - Throws: `SandboxError`; some rights may already be dropped then.
    package func enter() throws(SandboxError) {
        try SandboxError.check { glimpse_forbid_new_privileges($0, $1) }
        let support = SandboxSupport.ofThisKernel
        if support.landlock > 0 { try restrictFiles() }
        if support.filters { try SandboxError.check { glimpse_restrict_calls(sockets.rawValue, 0, $0, $1) } }
    }

    private func restrictFiles() throws(SandboxError) {
        try withRules { rules throws(SandboxError) in
            try SandboxError.check { glimpse_restrict_files(rules.baseAddress, rules.count, $0, $1) }
        }
    }

    /// The rights on paths in the form of `CSandbox`.
    package func withRules<Failure: Error>(
        _ body: (UnsafeBufferPointer<glimpse_path_rule>) throws(Failure) -> Void
    ) throws(Failure) {
        let access = [
            (readable, GLIMPSE_READ), (programs, GLIMPSE_PROGRAM), (writable, GLIMPSE_WRITE), (devices, GLIMPSE_DEVICE),
        ]
        let paths = access.flatMap { paths, access in paths.sorted().map { ($0, access) } }
        let names = paths.map { strdup($0.0) }
        defer { for name in names { free(name) } }
        let rules = zip(names, paths).map { glimpse_path_rule(path: $0, access: UInt32($1.1)) }
        // The array's own closure throws errors of any type.
        let buffer = UnsafeMutableBufferPointer<glimpse_path_rule>.allocate(capacity: rules.count)
        _ = buffer.initialize(from: rules)
        defer { buffer.deallocate() }
        try body(UnsafeBufferPointer(buffer))
    }
}

/// The reason why a process could not be restricted although the kernel supports it.
package struct SandboxError: Error, Sendable, CustomStringConvertible {
    package let description: String

    /// - Parameter step: takes a buffer for a message and its capacity; returns 0 or an errno value.
    fileprivate static func check(_ step: (UnsafeMutablePointer<CChar>, Int) -> Int32) throws(SandboxError) {
        var message = [CChar](repeating: 0, count: 256)
        let failed = message.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { step($0, buffer.count) != 0 } ?? true
        }
        guard failed else { return }
        let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        throw SandboxError(description: "cannot restrict the worker: \(String(decoding: text, as: UTF8.self))")
    }
}
