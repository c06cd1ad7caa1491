// SPDX-License-Identifier: Apache-2.0
import CProcess
import CProgramHost
import Detectors

#if canImport(Glibc)
    import Glibc
#endif

/// Lines to a program and from it. One thread uses it.
final class ProgramPipes {
    /// The reason why a conversation ended, for people.
    struct Fault: Error {
        var text: String
        /// Whether the program closed its output, so that its exit status says more.
        var isEnd = false
        var isTimeout = false
    }

    private let input: CInt
    private let output: CInt
    private var pending: [UInt8] = []
    /// Bytes of `pending` without an end of line.
    private var searched = 0
    private var chunk = [UInt8](repeating: 0, count: 65_536)

    /// - Parameter start: starts the program with its ends of the pipes, which are closed afterwards.
    init(_ start: (_ input: CInt, _ output: CInt) throws(DetectorError) -> Void) throws(DetectorError) {
        var pipes = glimpse_pipes()
        let error = glimpse_pipes_make(&pipes)
        guard error == 0 else { throw DetectorError("no pipes to the program: \(String(cString: strerror(error)))") }
        (input, output) = (pipes.to_program, pipes.from_program)
        defer {
            close(pipes.input)
            close(pipes.output)
        }
        try start(pipes.input, pipes.output)
    }

    deinit {
        close(input)
        close(output)
    }

    /// Never waits: a program that reads its lines leaves room for the next one.
    func send(_ line: String) throws(Fault) {
        var text = line
        let isSent = text.withUTF8 { bytes in
            Glibc.send(
                input, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
                == bytes.count
        }
        if !isSent { throw errno == EPIPE ? Fault(text: "", isEnd: true) : Fault(text: "it does not read its input") }
    }

    /// No line comes any more.
    func endInput() { shutdown(input, CInt(SHUT_WR)) }

    /// Waits for the next line.
    ///
    /// - Returns: without its end.
    func receive(within limit: Duration) throws(Fault) -> [UInt8] {
        let deadline = ContinuousClock.now + limit
        while true {
            if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")), end <= ProgramAnswer.mostBytes {
                let line = Array(pending[..<end])
                pending.removeSubrange(...end)
                searched = 0
                return line
            }
            searched = pending.count
            guard searched <= ProgramAnswer.mostBytes else {
                throw Fault(text: "it wrote a line of more than \(ProgramAnswer.mostBytes) bytes")
            }
            try read(until: deadline, limit)
        }
    }

    private func read(until deadline: ContinuousClock.Instant, _ limit: Duration) throws(Fault) {
        var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        // Rounded up, so that the last wait is none of many.
        let rest = max(0, CInt(clamping: Int(((deadline - .now) / .milliseconds(1)).rounded(.up))))
        let ready = poll(&wanted, 1, rest)
        if ready < 0, errno == EINTR { return }
        guard ready > 0 else { throw Fault(text: "it gave no answer within \(limit)", isTimeout: true) }
        let count = Glibc.read(output, &chunk, chunk.count)
        guard count > 0 else {
            if count < 0, errno == EINTR { return }
            throw Fault(text: "", isEnd: true)
        }
        pending += chunk[..<count]
    }
}
