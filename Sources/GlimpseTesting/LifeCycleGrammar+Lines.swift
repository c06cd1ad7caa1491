import FoundationEssentials

extension LifeCycleGrammar {
    /// What is wrong with the lives in an event stream from its first line to its last; lines of other types are passed over.
    package static func violations(in lines: [[UInt8]]) throws -> [String] {
        var grammar = LifeCycleGrammar()
        var batch: [(key: Key, step: Step)] = []
        var batchName = ""
        func flush() {
            if !batch.isEmpty { grammar.frame(batch) }
            batch.removeAll()
        }
        for line in lines {
            let line = try JSONDecoder().decode(TrackLine.self, from: Data(line))
            guard let step = Step(rawValue: line.type), let frame = line.frame,
                let id = line.track.flatMap({ UInt64($0.id) })
            else { continue }
            let owner = "\(line.pipeline ?? "") \(line.detector ?? "")"
            // Tracks that end for another reason than a gap do so between two frames.
            let isBetween = line.reason != nil && line.reason != "gone"
            let name = "\(owner) \(frame.epoch) \(frame.seq) \(isBetween ? line.reason ?? "" : "")"
            if name != batchName { flush() }
            batchName = name
            batch.append((Key(owner: owner, id: id), step))
        }
        flush()
        grammar.finish()
        return grammar.violations
    }

    private struct TrackLine: Decodable {
        struct Track: Decodable {
            var id: String
        }

        struct Frame: Decodable {
            var epoch: UInt64
            var seq: UInt64
        }

        var type: String
        var pipeline: String?
        var detector: String?
        var reason: String?
        var track: Track?
        var frame: Frame?
    }
}
