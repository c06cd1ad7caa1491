import Glibc

/// Executables of this package, as the build left them beside the test bundle.
package enum BuiltProducts {
    package static func path(_ name: String) -> String {
        let folder = ownPath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return "\(folder)/\(name)"
    }

    /// The test bundle's path. The running program is a part of the toolchain's or the bundle itself, so its arguments are asked.
    private static var ownPath: String {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        return bundle ?? CommandLine.arguments[0]
    }
}
