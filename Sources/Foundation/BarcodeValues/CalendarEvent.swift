// SPDX-License-Identifier: Apache-2.0
/// Something that takes place.
public struct CalendarEvent: Sendable, Equatable {
    public var summary: String?
    public var description: String?
    public var location: String?
    /// The address without `mailto:`.
    public var organizer: String?
    /// Lower case: `confirmed`, `tentative`, `cancelled`.
    public var status: String?
    public var start: CalendarTime
    /// The event's own end, or its start and duration.
    public var end: CalendarTime?
    /// As written: `PT1H30M`.
    public var duration: String?
    /// As written: `FREQ=WEEKLY;COUNT=10`.
    public var recurrence: String?

    /// A VEVENT, alone or in a VCALENDAR: iCalendar (RFC 5545) or vCalendar 1.0 (versit, 1996). The first one of
    /// several.
    init?(_ text: TextBytes) {
        let isCalendar = text.after(ignoringCase: "BEGIN:VCALENDAR") ?? text.after(ignoringCase: "BEGIN:VEVENT")
        guard isCalendar != nil, let lines = Self.event(ContentLine.all(in: text)) else { return nil }
        func first(_ name: String) -> ContentLine? { lines.first { $0.name == name } }
        func said(_ name: String) -> String? { first(name)?.text.orNil }
        guard let start = first("DTSTART").flatMap({ CalendarTime($0) }) else { return nil }
        self.start = start
        if let line = first("DTEND") {
            guard let end = CalendarTime(line) else { return nil }
            self.end = end
        } else if let line = first("DURATION") {
            guard let duration = CalendarDuration(line.value.trimmingWhitespace) else { return nil }
            self.duration = line.text
            end = start.advanced(by: duration)
        }
        summary = said("SUMMARY")
        description = said("DESCRIPTION")
        location = said("LOCATION")
        organizer = first("ORGANIZER").flatMap {
            let value = $0.value.trimmingWhitespace
            return value.after(ignoringCase: "mailto:")?.string ?? $0.text.orNil
        }
        status = said("STATUS")?.lowercased()
        recurrence = first("RRULE")?.value.trimmingWhitespace.string.orNil
    }

    /// The lines of the first event with an end, without those of its alarms.
    private static func event(_ lines: [ContentLine]) -> [ContentLine]? {
        var inside: [ContentLine]?
        var inner: String?
        for line in lines {
            let component = line.value.trimmingWhitespace.string.uppercased()
            if inside == nil {
                if line.name == "BEGIN", component == "VEVENT" { inside = [] }
            } else if let open = inner {
                if line.name == "END", component == open { inner = nil }
            } else if line.name == "BEGIN" {
                inner = component
            } else if line.name == "END" {
                return component == "VEVENT" ? inside : nil
            } else {
                inside?.append(line)
            }
        }
        return nil
    }

    static let fieldNames = [
        "summary", "description", "location", "organizer", "status", "start", "end", "duration", "recurrence",
    ]

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("summary", summary, shown: true)
        fields.add("description", description, shown: true)
        fields.add("location", location, shown: true)
        fields.add("organizer", organizer)
        fields.add("status", status)
        fields.add("start", start.fields, shown: true)
        fields.add("end", end?.fields, shown: true)
        fields.add("duration", duration)
        fields.add("recurrence", recurrence)
        return fields
    }
}
