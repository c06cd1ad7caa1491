// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif

extension Sandbox {
    /// The rights of a detector that is a program: the system's programs and libraries, and the files and folders that
    /// its command names. Its host adds a temporary folder.
    ///
    /// - Parameters:
    ///   - command: the program and its arguments. Paths are absolute.
    ///   - detectors: the folder of the detectors that are installed with this program.
    package init(program command: [String], network: Bool, detectors: String? = nil) {
        self.init()
        programs = ["/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin"]
        readable = [
            "/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives", "/etc/fonts", "/proc/self", "/proc/cpuinfo",
            "/proc/meminfo", "/proc/stat", "/sys/devices/system",
        ]
        if let detectors { readable.insert(detectors) }
        devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]
        for path in command where path.hasPrefix("/") && access(path, F_OK) == 0 {
            programs.insert(path)
            if let environment = Self.virtualEnvironment(of: path) { programs.insert(environment) }
        }
        guard network else { return }
        readable.formUnion(Self.network)
        sockets = .internet
    }

    /// The folder of a Python virtual environment (PEP 405), for a program in its `bin`.
    private static func virtualEnvironment(of program: String) -> String? {
        let parts = program.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 3, parts[parts.count - 2] == "bin" else { return nil }
        let folder = parts.dropLast(2).joined(separator: "/")
        return access("\(folder)/pyvenv.cfg", F_OK) == 0 ? folder : nil
    }
}
