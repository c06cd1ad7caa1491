// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BarcodeValues

@Suite struct CalendarTests {
    static let vectors: [Vector] = [
        Vector(
            "RFC 5545, 3.6.1",
            """
            BEGIN:VEVENT
            UID:19970901T130000Z-123401@example.com
            DTSTAMP:19970901T130000Z
            DTSTART:19970903T163000Z
            DTEND:19970903T190000Z
            SUMMARY:Annual Employee Review
            CLASS:PRIVATE
            CATEGORIES:BUSINESS,HUMAN RESOURCES
            END:VEVENT
            """, .calendarEvent,
            #"{"summary":"Annual Employee Review","start":{"year":1997,"month":9,"day":3,"hours":16,"minutes":30,"seconds":0,"is_utc":true,"raw_value":"19970903T163000Z"},"end":{"year":1997,"month":9,"day":3,"hours":19,"minutes":0,"seconds":0,"is_utc":true,"raw_value":"19970903T190000Z"}}"#
        ),
        Vector(
            "RFC 5545, 4",
            """
            BEGIN:VCALENDAR\r
            PRODID:-//RDU Software//NONSGML HandCal//EN\r
            VERSION:2.0\r
            BEGIN:VTIMEZONE\r
            TZID:America/New_York\r
            BEGIN:STANDARD\r
            DTSTART:19981025T020000\r
            TZOFFSETFROM:-0400\r
            TZOFFSETTO:-0500\r
            TZNAME:EST\r
            END:STANDARD\r
            END:VTIMEZONE\r
            BEGIN:VEVENT\r
            DTSTAMP:19980309T231000Z\r
            ORGANIZER:mailto:mrbig@example.com\r
            STATUS:CONFIRMED\r
            DESCRIPTION:Project XYZ Review Meeting\\, with a\r
              folded line\r
            SUMMARY:XYZ Project Review\r
            DTSTART;TZID=America/New_York:19980312T083000\r
            DTEND;TZID=America/New_York:19980312T093000\r
            LOCATION:1CP Conference Room 4350\r
            BEGIN:VALARM\r
            DESCRIPTION:not this one\r
            END:VALARM\r
            END:VEVENT\r
            END:VCALENDAR\r

            """, .calendarEvent,
            #"{"summary":"XYZ Project Review","description":"Project XYZ Review Meeting, with a folded line","location":"1CP Conference Room 4350","organizer":"mrbig@example.com","status":"confirmed","start":{"year":1998,"month":3,"day":12,"hours":8,"minutes":30,"seconds":0,"is_utc":false,"time_zone":"America/New_York","raw_value":"19980312T083000"},"end":{"year":1998,"month":3,"day":12,"hours":9,"minutes":30,"seconds":0,"is_utc":false,"time_zone":"America/New_York","raw_value":"19980312T093000"}}"#
        ),
        Vector(
            "RFC 5545, 3.8.2.5 and 3.8.5.3: duration over midnight, recurrence",
            "BEGIN:VEVENT\nDTSTART:20241231T233000Z\nDURATION:PT1H30M\nRRULE:FREQ=DAILY;COUNT=10\nSUMMARY:x\nEND:VEVENT",
            .calendarEvent,
            #"{"summary":"x","start":{"year":2024,"month":12,"day":31,"hours":23,"minutes":30,"seconds":0,"is_utc":true,"raw_value":"20241231T233000Z"},"end":{"year":2025,"month":1,"day":1,"hours":1,"minutes":0,"seconds":0,"is_utc":true},"duration":"PT1H30M","recurrence":"FREQ=DAILY;COUNT=10"}"#
        ),
        Vector(
            "RFC 5545, 3.6.1: a whole day",
            "BEGIN:VEVENT\nDTSTART;VALUE=DATE:20240228\nDURATION:P2D\nSUMMARY:x\nEND:VEVENT", .calendarEvent,
            #"{"summary":"x","start":{"year":2024,"month":2,"day":28,"is_utc":false,"raw_value":"20240228"},"end":{"year":2024,"month":3,"day":1,"is_utc":false},"duration":"P2D"}"#
        ),
        Vector(
            "vCalendar 1.0: quoted-printable",
            "BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VEVENT\nDTSTART:19960401T033000Z\nSUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:=C3=9Cbung\nEND:VEVENT\nEND:VCALENDAR",
            .calendarEvent,
            #"{"summary":"Übung","start":{"year":1996,"month":4,"day":1,"hours":3,"minutes":30,"seconds":0,"is_utc":true,"raw_value":"19960401T033000Z"}}"#
        ),
        Vector("RFC 5545, 3.6.1: it starts", "BEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT", .text),
        Vector("RFC 5545, 3.3.4: no such day", "BEGIN:VEVENT\nDTSTART:20230229\nEND:VEVENT", .text),
        Vector("RFC 5545, 3.3.6: no duration", "BEGIN:VEVENT\nDTSTART:20230228\nDURATION:1H\nEND:VEVENT", .text),
        Vector("RFC 5545, 3.6: it ends", "BEGIN:VEVENT\nDTSTART:20230228", .text),
    ]

    @Test(arguments: vectors) func calendarVectors(_ vector: Vector) { vector.check() }

    /// RFC 5545, 3.3.6.
    @Test(arguments: [
        ("P15DT5H0M20S", 15 * 86400 + 5 * 3600 + 20), ("P7W", 7 * 7 * 86400), ("-PT15M", -900), ("+P1D", 86400),
    ])
    func calendarDurationsAreRead(text: String, seconds: Int) {
        #expect(CalendarDuration(Array(text.utf8)[...])?.seconds == seconds)
    }

    @Test(arguments: ["", "P", "PT", "PT5", "P5H", "PT5D", "P1D1", "P99999999999999999999D", "5D", "PT1H T1M"])
    func invalidCalendarDurationsAreRefused(text: String) {
        #expect(CalendarDuration(Array(text.utf8)[...]) == nil)
    }

    /// Every day of 800 years is converted to a number and back.
    @Test func calendarDaysRoundTrip() {
        var (year, month, day) = (1700, 1, 1)
        for ordinal in CivilDate.ordinal(year: 1700, month: 1, day: 1)...CivilDate.ordinal(year: 2500, month: 1, day: 1)
        {
            let date = CivilDate.date(ordinal: ordinal)
            guard date == (year, month, day), CivilDate.ordinal(year: year, month: month, day: day) == ordinal else {
                Issue.record("\(year)-\(month)-\(day): \(date)")
                return
            }
            day += 1
            if day > CivilDate.days(in: month, of: year) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(CivilDate.ordinal(year: 1970, month: 1, day: 1) == 0)
    }
}
