// SPDX-License-Identifier: Apache-2.0
import CProgramHost
import CSandbox
import Detectors
import ExternalDetectors
import Sandbox
import Settings

#if canImport(Glibc)
    import Glibc
#endif

/// A process beside this one that runs the program of one detector in a sandbox (`Sandbox.init(program:)`). It lives as
/// long as this object and this process. Any thread may use it.
package final class ProgramHost: ProgramStarter {
    private let channel: CInt
    private let process: pid_t

    /// Starts the host, not yet the program. Call it while the process has one thread, before it is restricted.
    package init(command: [String], network: Bool = false) throws(DetectorError) {
        let detectors = Self.detectorsFolder
        let sandbox = Sandbox(program: command, network: network, detectors: detectors)
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        var environment = ["PATH=\(path)", "LANG=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1"]
        if let detectors { environment.append("PYTHONPATH=\(detectors)") }
        let (arguments, variables) = (Self.strings(command), Self.strings(environment))
        defer { for string in arguments + variables { free(string) } }
        var (channel, process, failure) = (CInt(-1), pid_t(0), CInt(0))
        sandbox.withRules { rules in
            arguments.withUnsafeBufferPointer { arguments in
                variables.withUnsafeBufferPointer { variables in
                    var program = glimpse_program(
                        arguments: arguments.baseAddress, environment: variables.baseAddress,
                        rules: rules.baseAddress, rule_count: rules.count, sockets: sandbox.sockets.rawValue)
                    failure = glimpse_host_start(&program, &channel, &process)
                }
            }
        }
        guard failure == 0 else {
            throw DetectorError("no process for the program: \(String(cString: strerror(failure)))")
        }
        (self.channel, self.process) = (channel, process)
    }

    deinit { glimpse_host_stop(channel, process) }

    /// The hosts of all detectors of a pipeline that are programs, by the detectors' names. A detector whose host
    /// cannot start has none, and is not operational.
    package static func hosts(of settings: PipelineSettings) -> [String: any ProgramStarter] {
        var hosts: [String: any ProgramStarter] = [:]
        for detector in settings.runningDetectors {
            guard case .external(let program) = detector.settings else { continue }
            hosts[detector.name] = try? ProgramHost(command: program.command, network: program.network)
        }
        return hosts
    }

    package func start(input: CInt, output: CInt, ring: CInt) throws(DetectorError) {
        var message = [CChar](repeating: 0, count: 256)
        guard glimpse_host_run(channel, input, output, ring, &message, message.count) != 0 else { return }
        let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        throw DetectorError("cannot start the program: \(text)")
    }

    package func end() -> String? { wait(within: .zero) }

    package func wait(within limit: Duration) -> String? {
        var status: CInt = 0
        guard glimpse_host_end(channel, CInt(limit / .milliseconds(1)), &status) == 0 else { return nil }
        let (code, signal) = (glimpse_exit_code(status), glimpse_exit_signal(status))
        if code >= 0 { return "exit status \(code)" }
        return signal == SIGKILL ? nil : "signal \(signal)"
    }

    /// The folder of the detectors that are installed with this program, and of `glimpse_detector.py`: in an
    /// installation `/usr/share/glimpsed/detectors`, in a checkout `detectors`.
    private static var detectorsFolder: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count)
        guard length > 0 else { return nil }
        let program = String(decoding: path.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var folder = program.split(separator: "/").dropLast()
        while !folder.isEmpty {
            let base = "/" + folder.joined(separator: "/")
            for place in ["\(base)/share/glimpsed/detectors", "\(base)/detectors"]
            where access("\(place)/glimpse_detector.py", R_OK) == 0 { return place }
            folder = folder.dropLast()
        }
        return nil
    }

    private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }
}
