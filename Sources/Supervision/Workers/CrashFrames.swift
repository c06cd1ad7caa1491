// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The frames that a worker keeps for the analysis of a crash. They are kept only if the worker crashed.
struct CrashFrames: Sendable {
    /// The number of files kept per pipeline; older files are removed.
    static let kept = 4

    /// The file that the worker writes. It is hidden, so it cannot collide with a pipeline's name.
    let file: String
    private let folder: String
    private let pipeline: String

    init(folder: String, pipeline: String) {
        self.folder = folder
        self.pipeline = pipeline
        file = "\(folder)/.\(pipeline).y4m"
    }

    /// Keeps the frames of a crashed worker.
    ///
    /// - Parameter seconds: the time since the Unix epoch.
    /// - Returns: the new path of the frames; nil if the worker had written none.
    func keep(at seconds: Int) -> String? {
        var status = stat()
        guard stat(file, &status) == 0, status.st_size > 0 else {
            discard()
            return nil
        }
        let path = "\(folder)/\(pipeline)-\(seconds).y4m"
        guard rename(file, path) == 0 else { return nil }
        for old in times.sorted().dropLast(Self.kept) { unlink("\(folder)/\(pipeline)-\(old).y4m") }
        return path
    }

    /// Deletes the frames of a worker that ended in order.
    func discard() { unlink(file) }

    /// The times of the crashes with stored frames.
    private var times: [Int] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var times: [Int] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix("\(pipeline)-"), name.hasSuffix(".y4m"),
                let time = Int(name.dropFirst(pipeline.count + 1).dropLast(4))
            else { continue }
            times.append(time)
        }
        return times
    }
}
