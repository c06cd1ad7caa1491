// SPDX-License-Identifier: Apache-2.0
import BinaryFormat
import Observations

/// Values in the order of their keys. Worker and supervisor have identical tables, because both come from one package.
extension PipelineMetrics {
    func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(metrics: source)
        bytes.append(pictures == nil ? 0 : 1)
        if let pictures { bytes.append(metrics: pictures) }
        bytes.append(string: withholding ?? "")
        bytes.append(histogram: decoding)
        for lane in lanes {
            bytes.append(string: lane.detector)
            bytes.append(metrics: lane.values)
            for stage in LaneStage.allCases { bytes.append(histogram: lane.stages[stage]) }
        }
    }

    init?(_ reader: inout PayloadReader) {
        guard let source: MetricValues<SourceMetric> = reader.metrics(), let hasPictures = reader.byte(),
            hasPictures <= 1
        else { return nil }
        self.init(source: source)
        if hasPictures == 1 {
            guard let pictures: MetricValues<PictureMetric> = reader.metrics() else { return nil }
            self.pictures = pictures
        }
        guard let withholding = reader.string() else { return nil }
        self.withholding = withholding.isEmpty ? nil : withholding
        guard let decoding = reader.histogram() else { return nil }
        self.decoding = decoding
        while !reader.isAtEnd {
            guard let detector = reader.string(), let values: MetricValues<LaneMetric> = reader.metrics() else {
                return nil
            }
            var lane = LaneMetrics(detector: detector, values)
            for stage in LaneStage.allCases {
                guard let histogram = reader.histogram() else { return nil }
                lane.stages[stage] = histogram
            }
            lanes.append(lane)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(metrics: MetricValues<some MetricKey>) {
        for number in metrics.numbers { append(integer: number) }
    }

    fileprivate mutating func append(histogram: DurationHistogram) {
        for count in histogram.counts { append(integer: count) }
        append(integer: histogram.sum)
    }
}

extension PayloadReader {
    fileprivate mutating func metrics<Key>() -> MetricValues<Key>? { MetricValues { _ in integer() } }

    fileprivate mutating func histogram() -> DurationHistogram? { DurationHistogram { integer() } }
}
