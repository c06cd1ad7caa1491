// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BarcodeValues

@Suite struct ContactTests {
    static let vectors: [Vector] = [
        Vector(
            "RFC 6350, 8",
            """
            BEGIN:VCARD\r
            VERSION:4.0\r
            FN:Simon Perreault\r
            N:Perreault;Simon;;;ing. jr,M.Sc.\r
            BDAY:--0203\r
            GENDER:M\r
            LANG;PREF=1:fr\r
            ORG;TYPE=work:Viagenie\r
            ADR;TYPE=work:;Suite D2-630;2875 Laurier;\r
             Quebec;QC;G1V 2M2;Canada\r
            TEL;VALUE=uri;TYPE="work,voice";PREF=1:tel:+1-418-656-9254;ext=102\r
            TEL;VALUE=uri;TYPE="work,cell,voice,video,text":tel:+1-418-262-6501\r
            EMAIL;TYPE=work:simon.perreault@viagenie.ca\r
            GEO;TYPE=work:geo:46.772673,-71.282945\r
            URL;TYPE=home:http://nomis80.org\r
            END:VCARD\r

            """, .contact,
            #"{"name":{"formatted_name":"Simon Perreault","first":"Simon","last":"Perreault","suffix":"ing. jr,M.Sc."},"organization":"Viagenie","phones":[{"number":"+1-418-656-9254","type":"work","extension":"102"},{"number":"+1-418-262-6501","type":"mobile"}],"emails":[{"address":"simon.perreault@viagenie.ca","type":"work"}],"urls":["http://nomis80.org"],"addresses":[{"type":"work","address_lines":["Suite D2-630","2875 Laurier","Quebec, QC, G1V 2M2","Canada"]}],"birthday":"--0203"}"#
        ),
        Vector(
            "RFC 2426, authors' addresses",
            """
            BEGIN:vCard
            VERSION:3.0
            FN:Frank Dawson
            ORG:Lotus Development Corporation
            ADR;TYPE=WORK,POSTAL,PARCEL:;;6544 Battleford Drive
             ;Raleigh;NC;27613-3502;U.S.A.
            TEL;TYPE=VOICE,MSG,WORK:+1-919-676-9515
            TEL;TYPE=FAX,WORK:+1-919-676-9564
            EMAIL;TYPE=INTERNET,PREF:Frank_Dawson@Lotus.com
            URL:http://home.earthlink.net/~fdawson
            END:vCard
            """, .contact,
            #"{"name":{"formatted_name":"Frank Dawson"},"organization":"Lotus Development Corporation","phones":[{"number":"+1-919-676-9515","type":"work"},{"number":"+1-919-676-9564","type":"fax"}],"emails":[{"address":"Frank_Dawson@Lotus.com"}],"urls":["http://home.earthlink.net/~fdawson"],"addresses":[{"type":"work","address_lines":["6544 Battleford Drive","Raleigh, NC, 27613-3502","U.S.A."]}]}"#
        ),
        Vector(
            "vCard 2.1: quoted-printable, character set, parameters without a name, a group",
            """
            BEGIN:VCARD
            VERSION:2.1
            N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg;;Dr.
            A.TEL;CELL:+49 170 1234567
            NOTE;QUOTED-PRINTABLE;CHARSET=UTF-8:erste Zeile=0D=0Azweite=
             Zeile
            END:VCARD
            """, .contact,
            #"{"name":{"formatted_name":"Dr. Jörg Müller","prefix":"Dr.","first":"Jörg","last":"Müller"},"phones":[{"number":"+49 170 1234567","type":"mobile"}],"note":"erste Zeile\r\nzweite Zeile"}"#
        ),
        Vector(
            "vCard 2.1: character set; JIS X 0208:1997, appendix 1 (Shift JIS)",
            """
            BEGIN:VCARD
            VERSION:2.1
            N;CHARSET=SHIFT_JIS;ENCODING=QUOTED-PRINTABLE:=8E=52=93=63;=91=BE=98=59
            SOUND;X-IRMC-N;CHARSET=SHIFT_JIS;ENCODING=QUOTED-PRINTABLE:=D4=CF=C0=DE;=C0=DB=B3
            END:VCARD
            """, .contact,
            #"{"name":{"formatted_name":"太郎 山田","pronunciation":"ﾔﾏﾀﾞ ﾀﾛｳ","first":"太郎","last":"山田"}}"#),
        Vector(
            "RFC 2426 (b encoding) and RFC 6350, 3.4 (escapes)",
            #"""
            BEGIN:VCARD
            VERSION:3.0
            FN;ENCODING=b;CHARSET=UTF-8:SsO8cmdlbg==
            N:O\;Neill;J\,r;;;
            NOTE:a\nb\\c
            END:VCARD
            """#, .contact,
            #"{"name":{"formatted_name":"Jürgen","first":"J,r","last":"O;Neill"},"note":"a\nb\\c"}"#),
        Vector(
            "vCard 2.1, AGENT: a card within a card",
            "BEGIN:VCARD\nVERSION:2.1\nN:A;B\nAGENT:\nBEGIN:VCARD\nVERSION:2.1\nN:C;D\nTEL:1\nEND:VCARD\nEND:VCARD",
            .contact,
            #"{"name":{"formatted_name":"B A","first":"B","last":"A"}}"#),
        Vector(
            "NTT docomo, MECARD",
            #"MECARD:N:Owen,Sean;SOUND:オーエン,ショーン;ADR:76 9th Avenue, 4th Floor, New York, NY 10011;TEL:12125551212;EMAIL:srowen@example.com;URL:http\://example.com;NOTE:a\;b;BDAY:19700310;;"#,
            .contact,
            #"{"name":{"formatted_name":"Sean Owen","pronunciation":"オーエン ショーン","first":"Sean","last":"Owen"},"phones":[{"number":"12125551212"}],"emails":[{"address":"srowen@example.com"}],"urls":["http://example.com"],"addresses":[{"address_lines":["76 9th Avenue","4th Floor","New York","NY 10011"]}],"note":"a;b","birthday":"19700310"}"#
        ),
        Vector(
            "ZXing's wiki, Barcode Contents: BIZCARD",
            "BIZCARD:N:Sean;X:Owen;T:Software Engineer;C:Google;A:76 9th Avenue, New York, NY 10011;B:+12125551212;E:srowen@google.com;;",
            .contact,
            #"{"name":{"formatted_name":"Sean Owen","first":"Sean","last":"Owen"},"organization":"Google","title":"Software Engineer","phones":[{"number":"+12125551212","type":"work"}],"emails":[{"address":"srowen@google.com"}],"addresses":[{"address_lines":["76 9th Avenue, New York, NY 10011"]}]}"#
        ),
        Vector("RFC 6350, 6.1.2: a card has an end", "BEGIN:VCARD\nVERSION:4.0\nFN:A", .text),
        Vector("RFC 6350, 6.2.1: a card says who", "BEGIN:VCARD\nVERSION:4.0\nEND:VCARD", .text),
        Vector("NTT docomo: N is mandatory", "MECARD:TEL:1;;", .text),
    ]

    @Test(arguments: vectors) func contactVectors(_ vector: Vector) { vector.check() }

    /// RFC 6350, 3.2: folding may cut anywhere, inside a character too.
    @Test func foldingAtEveryPlaceDoesNotChangeAContact() {
        let card = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Jürgen 漢字;x\\, y\r\nTEL;TYPE=cell:+1 2\r\nEND:VCARD\r\n"
        let whole = Contact(Array(card.utf8)[...])
        #expect(whole?.name.formattedName == "Jürgen 漢字;x, y")
        let bytes = Array(card.utf8)
        for place in bytes.indices.dropFirst(20) where bytes[place] != 0x0A && bytes[place - 1] != 0x0A {
            let folded = bytes[..<place] + [0x0D, 0x0A, 0x20] + bytes[place...]
            guard bytes[place - 1] != 0x0D else { continue }
            #expect(Contact(Array(folded)[...]) == whole)
        }
    }

    /// JIS X 0208 as iconv has it.
    @Test func contactsInShiftJISAreRead() {
        #expect(ShiftJIS.text([0x83, 0x5C, 0x95, 0x5C, 0x88, 0x9F, 0xEA, 0xA4]) == "ソ表亜熙")
        #expect(ShiftJIS.text([0x82, 0xA0, 0x41, 0x5C, 0xB1]) == "あA\\ｱ")
        #expect(ShiftJIS.text([0x81]) == nil)
        #expect(ShiftJIS.text([0x81, 0x20]) == nil)
        #expect(ShiftJIS.text([0xFF]) == nil)
        #expect(ShiftJIS.text([0x81, 0xAD]) == nil)
    }

    @Test func charsetsOfContactsAreDecoded() {
        #expect(Charset(name: "WINDOWS-1252")?.text([0x80, 0xE4]) == "€ä")
        #expect(Charset(name: "iso-8859-15")?.text([0xA4]) == "€")
        #expect(Charset(name: "utf-8")?.text([0xC3]) == nil)
        #expect(Charset.text(ofUnknown: [0xC3, 0xA4]) == "ä")
        #expect(Charset.text(ofUnknown: [0xE4]) == "ä")
    }
}
