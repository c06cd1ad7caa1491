import Glibc

/// The frames that a worker keeps while it runs, for whoever looks into its crash. They stay only when it crashed.
struct CrashFrames: Sendable {
    /// Of each pipeline; older ones are removed.
    static let kept = 4

    /// Where the worker writes them. Hidden, as no pipeline's name is.
    let file: String
    private let folder: String
    private let pipeline: String

    init(folder: String, pipeline: String) {
        self.folder = folder
        self.pipeline = pipeline
        file = "\(folder)/.\(pipeline).y4m"
    }

    /// The worker crashed.
    ///
    /// - Parameter seconds: since the Unix epoch.
    /// - Returns: where its frames are now; nil when it had none.
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

    /// The worker ended in order.
    func discard() { unlink(file) }

    /// When the crashes were of which there are frames.
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
