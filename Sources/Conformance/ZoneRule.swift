/// Proves or refutes that a track enters a zone before it dwells in it and leaves it, and has left every zone when it is completed. Only
/// where the reader got everything from the beginning; remembers what live tracks are in.
struct ZoneRule: Sendable {
    private var isWhole = true
    private var zones: [LifeCycleGrammar.Key: Set<String>] = [:]

    /// - Parameter isWhole: whether everything that follows is the story from its beginning.
    mutating func forget(isWhole: Bool) {
        self.isWhole = isWhole
        zones = [:]
    }

    /// - Throws: `Violation.Problem`.
    mutating func take(_ key: LifeCycleGrammar.Key, zone: String, state: String) throws {
        guard isWhole else { return }
        let isIn = zones[key]?.contains(zone) ?? false
        switch state {
        case "entered":
            if isIn { throw Violation.Problem("\(key): entered zone \(zone), but it is in it") }
            zones[key, default: []].insert(zone)
        case "dwelling", "left":
            if !isIn { throw Violation.Problem("\(key): \(state) zone \(zone), but it is not in it") }
            if state == "left" { zones[key]?.remove(zone) }
        default: break
        }
    }

    /// - Throws: `Violation.Problem`.
    mutating func completed(_ key: LifeCycleGrammar.Key) throws {
        guard let left = zones.removeValue(forKey: key)?.min() else { return }
        throw Violation.Problem("\(key): completed, but it has not left zone \(left)")
    }
}
