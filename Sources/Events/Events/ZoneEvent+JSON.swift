import Observations

extension ZoneEvent {
    /// The members after the envelope.
    func encode(to json: inout JSONWriter) {
        track.frame.encode(to: &json)
        json.member("detector", track.detector)
        json.member("kind", track.track.kind.rawValue)
        json.object("track") { $0.member("id", track.track.id.description) }
        json.member("zone", zone)
        switch change {
        case .entered: json.member("state", "entered")
        case .dwelling(let time):
            json.member("state", "dwelling")
            json.member("dwell_ms", time / 1_000_000)
        case .left(let time):
            json.member("state", "left")
            json.member("dwell_ms", time / 1_000_000)
        }
    }
}
