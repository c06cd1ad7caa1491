import Observations
import Pipelines
import Synchronization

/// Records a pipeline: what its lanes take, in the order in which the lines that come of it leave.
package final class TapeRecorder: PipelineRecorder {
    /// Records of one lane that have not left yet.
    private final class Lane: Sendable {
        let number: Int
        let records = Mutex<[UInt8]>([])

        init(_ number: Int) { self.number = number }
    }

    private let file: TapeFile
    private let lanes: [String: Lane]
    /// One at a time takes its records to the file and writes its lines, so that both have one order.
    private let order = Mutex(())

    /// Makes the file, in place of one that is there, readable by its owner alone.
    ///
    /// - Parameter complain: is told in a line for people should the recording end early: a full disk, or one that is slower than the
    ///   pipeline. That costs the pipeline nothing.
    package init(
        _ path: String, _ header: TapeHeader, complain: @escaping @Sendable (String) -> Void
    ) throws(TapeError) {
        file = try TapeFile(path, complain: complain)
        lanes = Dictionary(
            header.lanes.enumerated().map { ($0.element, Lane($0.offset)) }, uniquingKeysWith: { first, _ in first })
        var bytes = TapeFormat.magic
        TapeFormat.append(to: &bytes) { header.put(to: &$0) }
        file.append(bytes)
    }

    package func laneTakes(_ input: LaneInput, at time: Timestamp, of detector: String) {
        guard let lane = lanes[detector] else { return }
        lane.records.withLock { records in
            TapeFormat.append(to: &records) { TapeRecord.put(lane.number, input, time, to: &$0) }
        }
    }

    package func laneWrites(_ detector: String, _ write: () -> Void) {
        order.withLock { _ in
            lanes[detector]?.records.withLock { records in
                file.append(records)
                records.removeAll(keepingCapacity: true)
            }
            write()
        }
    }

    package func sourceChanges(_ input: SourceInput, at time: Timestamp, _ write: () -> Void) {
        order.withLock { _ in
            append(.source(input, time: time))
            write()
        }
    }

    /// Ends the tape in order and waits until it is written.
    package func finish() {
        order.withLock { _ in append(.end) }
        file.close()
    }

    private func append(_ record: TapeRecord) {
        var bytes: [UInt8] = []
        TapeFormat.append(to: &bytes) { record.put(to: &$0) }
        file.append(bytes)
    }
}
