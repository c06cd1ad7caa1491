extension PipelineSettings {
    /// What a running worker has to do to go on with other settings.
    package struct TakeOver: Sendable, Equatable {
        /// Those that are made anew, by the names that events have for them; every lane gets its new rates and rules besides.
        package var detectors: Set<String> = []
    }

    /// - Returns: nil when `new` needs another worker: all of the source, name, tags, and what of the detectors is so marked.
    package func takeOver(_ new: PipelineSettings) -> TakeOver? {
        var (rest, takeOver) = (self, TakeOver())
        rest.file = new.file
        rest.zones = new.zones
        func compare<Table: DetectorTable>(_ table: WritableKeyPath<PipelineSettings, Table?>) {
            guard let old = self[keyPath: table], let new = new[keyPath: table] else { return }
            let change = old.change(to: new)
            if change == .detector { takeOver.detectors.insert(Table.detector) }
            if change != .worker { rest[keyPath: table] = new }
        }
        compare(\.face)
        compare(\.barcode)
        compare(\.object)
        compare(\.scene)
        return rest == new ? takeOver : nil
    }
}
