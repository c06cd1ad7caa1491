// SPDX-License-Identifier: Apache-2.0
import Observations
import Pipelines
import Synchronization

/// Records a pipeline: the inputs of its lanes, in the order in which the resulting lines leave.
package final class TapeRecorder: PipelineRecorder {
    /// The records of one lane whose lines have not left yet.
    private final class Lane: Sendable {
        let number: Int
        let records = Mutex<[UInt8]>([])

        init(_ number: Int) { self.number = number }
    }

    private let file: TapeFile
    private let lanes: [String: Lane]
    /// Held while a lane's records are appended and its lines written, so that both have one order.
    private let order = Mutex(())

    /// Creates the file, replaces an existing one, and makes it readable only by its owner.
    ///
    /// - Parameter complain: called with a message for people if the recording ends early, because the disk is full or
    ///   slower than the pipeline. The pipeline is not affected.
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
