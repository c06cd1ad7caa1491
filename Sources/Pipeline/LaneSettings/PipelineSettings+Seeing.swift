import Settings

extension PipelineSettings {
    /// The detectors of these settings that would have seen something else than those of `recorded` did, so that a tape made with those
    /// cannot tell: a line for people each.
    package func limitations(on recorded: PipelineSettings) -> [String] {
        var lines: [String] = []
        func compare<Table: DetectorTable>(
            _ table: KeyPath<PipelineSettings, Table?>, _ isEnabled: (Table) -> Bool, _ rate: (Table) -> Double
        ) {
            guard let mine = self[keyPath: table], isEnabled(mine) else { return }
            guard let theirs = recorded[keyPath: table], isEnabled(theirs) else {
                lines.append("\(Table.detector): the tape has no such detector")
                return
            }
            if !mine.sees(as: theirs) {
                lines.append(
                    "\(Table.detector): settings of what it sees differ; the tape has what it saw when it was recorded")
            }
            if rate(theirs) > 0, rate(mine) == 0 || rate(mine) > rate(theirs) {
                lines.append("\(Table.detector): the tape has \(rate(theirs)) frames a second and no more")
            }
        }
        compare(\.face, \.enabled, \.common.maxRate)
        compare(\.barcode, \.enabled, \.common.maxRate)
        compare(\.object, \.enabled, \.common.maxRate)
        compare(\.scene, \.enabled, \.common.maxRate)
        return lines
    }
}
