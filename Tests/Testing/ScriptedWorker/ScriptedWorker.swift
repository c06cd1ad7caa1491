// SPDX-License-Identifier: Apache-2.0
import CProcess
import Glibc
import GlimpseTesting
import Observations
import WorkerChannel

/// A worker that runs the commands of its configuration's lines `# script: COMMAND ...`. The supervisor's tests use it
/// to produce every start and every end of a real worker. The worker keeps the channel's contract unless the script
/// says otherwise.
@main
struct ScriptedWorker {
    private var events: SampleEvents
    private let configuration: WorkerConfiguration
    private let output = Output()
    private var frame: UInt64 = 0
    private var live: Range<UInt64> = 0..<0
    private var kind = FeatureKind.face

    static func main() {
        if CommandLine.arguments.dropFirst().first == "zygote" {
            guard glimpse_serve_as_zygote(CommandLine.unsafeArgv[1], "serve") == 0 else { exit(0) }
        }
        var input = WorkerFrameDecoder()
        guard let configuration: WorkerConfiguration = nextMessage(&input) else { exit(65) }
        var worker = ScriptedWorker(configuration)
        let isDeaf = configuration.text.contains("# script: deaf")
        if isDeaf { signal(SIGTERM, SIG_IGN) }
        for line in configuration.text.split(separator: "\n") where line.hasPrefix("# script: ") {
            worker.perform(line.dropFirst(10).split(separator: " ").map(String.init))
        }
        while let message: ToWorker = nextMessage(&input) {
            if case .requestedLines(let lines) = message {
                worker.perform(["say", "requested lines \(lines.rawValue)"])
            }
            guard case .stop(let reason) = message, !isDeaf else { continue }
            worker.completeAll(reason)
            exit(0)
        }
        if isDeaf { while true { pause() } }
    }

    private init(_ configuration: WorkerConfiguration) {
        self.configuration = configuration
        let name = configuration.file.split(separator: "/").last?.split(separator: ".").first ?? "pipeline"
        events = SampleEvents(pipeline: String(name))
        events.epoch = configuration.epoch
    }

    private mutating func perform(_ words: [String]) {
        func number(_ index: Int) -> UInt64 { words.indices.contains(index) ? UInt64(words[index]) ?? 0 : 0 }
        switch words[0] {
        case "connect": output.send(.event(events.source(.connected)))
        case "detector":
            let isOperational = words.last == "yes"
            output.send(
                .event(
                    events.detector(
                        words[1], operational: isOperational, reason: isOperational ? nil : "its model is broken")))
        case "lose": output.send(.event(events.source(.lost, error: "the camera is gone")))
        case "small_faces":
            let lane = LaneMetrics(
                detector: "face", [.processed: frame, .smallFaces: number(1), .smallFacesMinSize: number(2)])
            output.send(.heartbeat(PipelineMetrics(source: [.received: frame], lanes: [lane])))
        case "count": count(number(1))
        case "beat": output.send(.heartbeat(PipelineMetrics(source: [.received: frame])))
        case "kind": kind = FeatureKind(rawValue: words[1]) ?? .face
        case "tracks": start(number(1))
        case "lives": live(number(1), every: number(2), updates: number(3))
        case "updates": update(times: number(1), every: number(2))
        case "pictures": complete(pictureBytes: Int(number(1)))
        case "miss":
            frame += 1
            for id in live { output.send(.event(events.track(.missing, kind, id: id, frame: frame))) }
        case "print": output.write(Array((words.dropFirst().joined(separator: " ") + "\n").utf8))
        case "say":
            let line = words.dropFirst().joined(separator: " ") + "\n"
            _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        case "flood": for _ in 0..<number(1) { perform(["say", String(repeating: "x", count: Int(number(2)))]) }
        case "impersonate":
            var other = SampleEvents(pipeline: "other")
            output.send(.event(other.track(.detected, id: 1)))
        case "tear":
            var bytes: [UInt8] = []
            WorkerFrame.append(FromWorker.event(events.track(.update, id: 1, frame: frame)), to: &bytes)
            output.write(Array(bytes.dropLast(9)))
        case "report":
            // Viewers come through descriptor 3.
            let descriptors = (4..<64).filter { fcntl($0, F_GETFD) >= 0 }.count
            perform([
                "say", "descriptors \(descriptors) epoch \(configuration.epoch) first \(configuration.firstTrack)",
            ])
        case "abort": abort()
        case "eat" where words.count < 3 || number(2) == configuration.epoch:
            let bytes = Int(number(1)) << 20
            memset(malloc(bytes), 1, bytes)
        case "hush": close(STDOUT_FILENO)
        case "sleep": usleep(UInt32(number(1)) * 1000)
        case "exit" where words.count < 3 || number(2) == configuration.epoch: exit(Int32(number(1)))
        case "kill" where words.count < 3 || number(2) == configuration.epoch: kill(getpid(), Int32(number(1)))
        default: break
        }
    }

    /// Sends a heartbeat that has counted this many of everything.
    private func count(_ number: UInt64) {
        var lane = LaneMetrics(
            detector: "face",
            [.processed: number, .busyDrops: number, .detections: number, .refusedDetections: number])
        var metrics = PipelineMetrics(source: [.received: number, .decoded: number])
        for _ in 0..<number {
            metrics.decoding.record(microseconds: 900)
            for stage in LaneStage.allCases { lane.stages.record(stage, microseconds: 3000) }
        }
        metrics.lanes = [lane]
        output.send(.heartbeat(metrics))
    }

    private mutating func start(_ count: UInt64) {
        frame += 1
        let first = configuration.firstTrack
        live = first..<(first + count)
        for id in live {
            output.send(.event(events.track(.detected, kind, id: id, frame: frame)))
            output.send(.event(events.track(.update, kind, id: id, frame: frame)))
        }
    }

    /// Sends short lives of tracks, one after the other.
    private mutating func live(_ count: UInt64, every milliseconds: UInt64, updates: UInt64) {
        let first = configuration.firstTrack
        for id in first..<(first + count) {
            frame += 1
            for phase in [.detected] + Array(repeating: TrackPhase.update, count: Int(updates)) + [.completed(.gone)] {
                output.send(.event(events.track(phase, kind, id: id, frame: frame)))
            }
            usleep(UInt32(milliseconds) * 1000)
        }
    }

    private mutating func update(times: UInt64, every milliseconds: UInt64) {
        for _ in 0..<times {
            frame += 1
            for id in live { output.send(.event(events.track(.update, kind, id: id, frame: frame))) }
            if milliseconds > 0 { usleep(UInt32(milliseconds) * 1000) }
        }
    }

    /// Completes the live tracks, each with a best picture of this size.
    private mutating func complete(pictureBytes: Int) {
        completeAll(.gone)
        mkdir(configuration.picturesFolder, 0o750)
        for id in live {
            let file = "\(configuration.picturesFolder)/\(id)-best.jpg"
            let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o640)
            let bytes = [UInt8](repeating: UInt8(ascii: "0") + UInt8(id % 10), count: pictureBytes)
            write(descriptor, bytes, bytes.count)
            close(descriptor)
            output.send(.event(events.snapshot(file, kind, id: id, frame: frame, bytes: pictureBytes)))
        }
        live = live.upperBound..<live.upperBound
    }

    private mutating func completeAll(_ reason: CompletionReason) {
        for id in live { output.send(.event(events.track(.completed(reason), kind, id: id, frame: frame))) }
    }

    private static func nextMessage<Message: WorkerChannelMessage>(_ decoder: inout WorkerFrameDecoder) -> Message? {
        while true {
            if let message: Message = decoder.next() { return message }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            decoder.append(chunk[..<count])
        }
    }
}

private struct Output {
    func send(_ message: FromWorker) {
        var bytes: [UInt8] = []
        WorkerFrame.append(message, to: &bytes)
        write(bytes)
    }

    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(1) }
            rest.removeFirst(count)
        }
    }
}
