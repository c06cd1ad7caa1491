// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Logging

/// Copies a worker's standard error into the daemon's log under the pipeline's name, limited in line length and in
/// lines per second.
///
/// A line may begin with a level (`warning: ...`). Other lines, such as those of libraries, have the level `info`.
struct WorkerLog {
    static let longestLine = 4096
    static let linesPerSecond = 100

    private let logger: Logger
    private var lines = LineSplitter(limit: Self.longestLine)
    private var second: ContinuousClock.Instant
    private var inSecond = 0
    /// The newest line with the level `warning` or above, without the level.
    private(set) var newestWarning: String?

    /// - Parameter logger: has the pipeline's name as metadata.
    init(logger: Logger, at now: ContinuousClock.Instant) {
        self.logger = logger
        second = now
    }

    mutating func append(_ bytes: some Collection<UInt8>, at now: ContinuousClock.Instant) {
        for piece in lines.append(bytes) {
            switch piece {
            case .line(let line): write(line, at: now)
            case .tooLong(let beginning): write(beginning + Array(" ...".utf8), at: now)
            case .goesOn: continue
            }
        }
    }

    mutating func finish(at now: ContinuousClock.Instant) {
        if let rest = lines.finish() { write(rest, at: now) }
        reportDropped()
    }

    private mutating func write(_ line: [UInt8], at now: ContinuousClock.Instant) {
        if now - second >= .seconds(1) {
            reportDropped()
            (second, inSecond) = (now, 0)
        }
        inSecond += 1
        guard inSecond <= Self.linesPerSecond else { return }
        let (level, text) = Self.parse(line)
        guard !text.isEmpty else { return }
        if level >= .warning { newestWarning = text }
        logger.log(level: level, "\(text)")
    }

    private mutating func reportDropped() {
        let dropped = inSecond - Self.linesPerSecond
        guard dropped > 0 else { return }
        inSecond = 0
        logger.warning("\(dropped) lines of the worker were dropped: more than \(Self.linesPerSecond) in a second")
    }

    static func parse(_ line: [UInt8]) -> (level: Logger.Level, text: String) {
        let text = String(decoding: line, as: UTF8.self)
        for level in Logger.Level.allCases {
            let prefix = "\(level.rawValue): "
            if text.hasPrefix(prefix) { return (level, String(text.dropFirst(prefix.count))) }
        }
        return (.info, text)
    }
}
