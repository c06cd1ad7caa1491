// SPDX-License-Identifier: Apache-2.0
// GS1 General Specifications 25, section 3: application identifiers, formats and data titles.
extension GS1Identifier {
    static let all: [GS1Identifier] = [
        identification, dates, variants, measures, logistics, money, healthcare, other,
    ].flatMap(\.self)

    private static let identification: [GS1Identifier] = [
        .init("00", "SSCC", .n(18, .checkDigit)), .init("01", "GTIN", .n(14, .checkDigit)),
        .init("02", "CONTENT", .n(14, .checkDigit)), .init("03", "MTO GTIN", .n(14, .checkDigit)),
    ]

    private static let dates: [GS1Identifier] = [
        .init("11", "PROD DATE", .looseDate), .init("12", "DUE DATE", .looseDate),
        .init("13", "PACK DATE", .looseDate), .init("15", "BEST BEFORE or BEST BY", .looseDate),
        .init("16", "SELL BY", .looseDate), .init("17", "USE BY or EXPIRY", .looseDate),
        .init("7003", "EXPIRY TIME", .date, .n(4, .time)), .init("7006", "FIRST FREEZE DATE", .date),
        .init("7007", "HARVEST DATE", .date, .n(6, .date, optional: true)),
        .init("7011", "TEST BY DATE", .date, .n(4, .time, optional: true)),
        // Hours, then minutes and seconds when they are said.
        .init("8008", "PROD TIME", .date, .n(2, .time), .n(upTo: 4, .plain, optional: true)),
        .init("4324", "NOT BEF DEL DT", .looseDate, .n(4)), .init("4325", "NOT AFT DEL DT", .looseDate, .n(4)),
        .init("4326", "REL DATE", .date),
    ]

    private static let variants: [GS1Identifier] = [
        .init("10", "BATCH/LOT", .x(upTo: 20)), .init("20", "VARIANT", .n(2)), .init("21", "SERIAL", .x(upTo: 20)),
        .init("22", "CPV", .x(upTo: 20)), .init("235", "TPX", .x(upTo: 28)),
        .init("240", "ADDITIONAL ID", .x(upTo: 30)), .init("241", "CUST. PART No.", .x(upTo: 30)),
        .init("242", "MTO VARIANT", .n(upTo: 6)), .init("243", "PCN", .x(upTo: 20)),
        .init("250", "SECONDARY SERIAL", .x(upTo: 30)), .init("251", "REF. TO SOURCE", .x(upTo: 30)),
        .init("253", "GDTI", .key13, .x(upTo: 17, optional: true)),
        .init("254", "GLN EXTENSION COMPONENT", .x(upTo: 20)),
        .init("255", "GCN", .key13, .n(upTo: 12, optional: true)), .init("30", "VAR. COUNT", .n(upTo: 8)),
        .init("37", "COUNT", .n(upTo: 8)),
    ]

    /// Fourth digits 0 to 5: digits after the point.
    private static let measures: [GS1Identifier] = [
        ("310", "NET WEIGHT", "kg"), ("311", "LENGTH", "m"), ("312", "WIDTH", "m"), ("313", "HEIGHT", "m"),
        ("314", "AREA", "m2"), ("315", "NET VOLUME", "l"), ("316", "NET VOLUME", "m3"), ("320", "NET WEIGHT", "lb"),
        ("321", "LENGTH", "in"), ("322", "LENGTH", "ft"), ("323", "LENGTH", "yd"), ("324", "WIDTH", "in"),
        ("325", "WIDTH", "ft"), ("326", "WIDTH", "yd"), ("327", "HEIGHT", "in"), ("328", "HEIGHT", "ft"),
        ("329", "HEIGHT", "yd"), ("330", "GROSS WEIGHT", "kg"), ("331", "LENGTH, log", "m"), ("332", "WIDTH, log", "m"),
        ("333", "HEIGHT, log", "m"), ("334", "AREA, log", "m2"), ("335", "VOLUME, log", "l"),
        ("336", "VOLUME, log", "m3"), ("337", "KG PER m2", "kg/m2"), ("340", "GROSS WEIGHT", "lb"),
        ("341", "LENGTH, log", "in"), ("342", "LENGTH, log", "ft"), ("343", "LENGTH, log", "yd"),
        ("344", "WIDTH, log", "in"), ("345", "WIDTH, log", "ft"), ("346", "WIDTH, log", "yd"),
        ("347", "HEIGHT, log", "in"), ("348", "HEIGHT, log", "ft"), ("349", "HEIGHT, log", "yd"),
        ("350", "AREA", "in2"), ("351", "AREA", "ft2"), ("352", "AREA", "yd2"), ("353", "AREA, log", "in2"),
        ("354", "AREA, log", "ft2"), ("355", "AREA, log", "yd2"), ("356", "NET WEIGHT", "t oz"),
        ("357", "NET VOLUME", "oz"), ("360", "NET VOLUME", "qt"), ("361", "NET VOLUME", "gal"),
        ("362", "VOLUME, log", "qt"), ("363", "VOLUME, log", "gal"), ("364", "VOLUME", "in3"),
        ("365", "VOLUME", "ft3"), ("366", "VOLUME", "yd3"), ("367", "VOLUME, log", "in3"),
        ("368", "VOLUME, log", "ft3"), ("369", "VOLUME, log", "yd3"),
    ].flatMap { digits, title, unit in
        (0...5).map { (places: Int) in
            GS1Identifier("\(digits)\(places)", title, .n(6), places: places, unit: unit)
        }
    }

    private static let money: [GS1Identifier] =
        (0...9).flatMap { (places: Int) in
            [
                GS1Identifier("390\(places)", "AMOUNT", .n(upTo: 15), places: places),
                GS1Identifier("391\(places)", "AMOUNT", .n(3, .currency), .n(upTo: 15), places: places),
                GS1Identifier("392\(places)", "PRICE", .n(upTo: 15), places: places),
                GS1Identifier("393\(places)", "PRICE", .n(3, .currency), .n(upTo: 15), places: places),
            ]
        }
        + (0...3).map { (places: Int) in
            GS1Identifier("394\(places)", "PRCNT OFF", .n(4), places: places, unit: "%")
        }
        + (0...5).map { (places: Int) in GS1Identifier("395\(places)", "PRICE/UoM", .n(6), places: places) } + [
            .init("8005", "PRICE PER UNIT", .n(6)), .init("8007", "IBAN", .x(upTo: 34, .iban)),
            .init("8020", "REF No.", .x(upTo: 25)), .init("8111", "POINTS", .n(4)),
        ]

    private static let logistics: [GS1Identifier] =
        [
            .init("400", "ORDER NUMBER", .x(upTo: 30)), .init("401", "GINC", .x(upTo: 30)),
            .init("402", "GSIN", .n(17, .checkDigit)), .init("403", "ROUTE", .x(upTo: 30)),
            .init("410", "SHIP TO LOC", .key13), .init("411", "BILL TO", .key13),
            .init("412", "PURCHASE FROM", .key13), .init("413", "SHIP FOR LOC", .key13),
            .init("414", "LOC No.", .key13), .init("415", "PAY TO", .key13), .init("416", "PROD/SERV LOC", .key13),
            .init("417", "PARTY", .key13), .init("420", "SHIP TO POST", .x(upTo: 20)),
            .init("421", "SHIP TO POST", .n(3), .x(upTo: 9)), .init("422", "ORIGIN", .n(3)),
            .init("423", "COUNTRY - INITIAL PROCESS", .n(upTo: 15)), .init("424", "COUNTRY - PROCESS", .n(3)),
            .init("425", "COUNTRY - DISASSEMBLY", .n(upTo: 15)), .init("426", "COUNTRY - FULL PROCESS", .n(3)),
            .init("427", "ORIGIN SUBDIVISION", .x(upTo: 3)), .init("4308", "SHIP TO PHONE", .x(upTo: 30)),
            .init("4309", "SHIP TO GEO", .n(20)), .init("4318", "RTN TO POST", .x(upTo: 20)),
            .init("4319", "RTN TO PHONE", .x(upTo: 30)), .init("4320", "SRV DESCRIPTION", .x(upTo: 35)),
            .init("4321", "DANGEROUS GOODS", .n(1, .yesNo)), .init("4322", "AUTH TO LEAVE", .n(1, .yesNo)),
            .init("4323", "SIG REQUIRED", .n(1, .yesNo)),
        ]
        + [("430", "SHIP TO"), ("431", "RTN TO")].flatMap { digits, title in
            [
                GS1Identifier("\(digits)0", "\(title) COMP", .x(upTo: 35)),
                GS1Identifier("\(digits)1", "\(title) NAME", .x(upTo: 35)),
                GS1Identifier("\(digits)2", "\(title) ADD1", .x(upTo: 70)),
                GS1Identifier("\(digits)3", "\(title) ADD2", .x(upTo: 70)),
                GS1Identifier("\(digits)4", "\(title) SUB", .x(upTo: 70)),
                GS1Identifier("\(digits)5", "\(title) LOC", .x(upTo: 70)),
                GS1Identifier("\(digits)6", "\(title) REG", .x(upTo: 70)),
                GS1Identifier("\(digits)7", "\(title) COUNTRY", .x(2)),
            ]
        }
        + [("4330", "MAX TEMP F."), ("4331", "MAX TEMP C."), ("4332", "MIN TEMP F."), ("4333", "MIN TEMP C.")].map {
            GS1Identifier($0, $1, .n(6), .x(1, .hyphen, optional: true))
        }

    private static let healthcare: [GS1Identifier] =
        [
            .init("7001", "NSN", .n(13)), .init("7002", "MEAT CUT", .x(upTo: 30)),
            .init("7004", "ACTIVE POTENCY", .n(upTo: 4)), .init("7005", "CATCH AREA", .x(upTo: 12)),
            .init("7008", "AQUATIC SPECIES", .x(upTo: 3)), .init("7009", "FISHING GEAR TYPE", .x(upTo: 10)),
            .init("7010", "PROD METHOD", .x(upTo: 2)), .init("7020", "REFURB LOT", .x(upTo: 20)),
            .init("7021", "FUNC STAT", .x(upTo: 20)), .init("7022", "REV STAT", .x(upTo: 20)),
            .init("7023", "GIAI - ASSEMBLY", .x(upTo: 30)), .init("7040", "UIC+EXT", .n(1), .x(3)),
            .init("710", "NHRN PZN", .x(upTo: 20)), .init("711", "NHRN CIP", .x(upTo: 20)),
            .init("712", "NHRN CN", .x(upTo: 20)), .init("713", "NHRN DRN", .x(upTo: 20)),
            .init("714", "NHRN AIM", .x(upTo: 20)), .init("715", "NHRN NDC", .x(upTo: 20)),
            .init("716", "NHRN AIC", .x(upTo: 20)), .init("7240", "PROTOCOL", .x(upTo: 20)),
            .init("7241", "AIDC MEDIA TYPE", .n(2)), .init("7242", "VCN", .x(upTo: 25)),
            .init("7250", "DOB", .n(8)), .init("7251", "DOB TIME", .n(12)), .init("7252", "BIO SEX", .n(1)),
            .init("7253", "FAMILY NAME", .x(upTo: 40)), .init("7254", "GIVEN NAME", .x(upTo: 40)),
            .init("7255", "SUFFIX", .x(upTo: 10)), .init("7256", "FULL NAME", .x(upTo: 90)),
            .init("7257", "PERSON ADDR", .x(upTo: 70)), .init("7258", "BIRTH SEQUENCE", .n(1), .x(1), .n(1)),
            .init("7259", "BABY", .x(upTo: 40)),
        ] + (0...9).map { GS1Identifier("703\($0)", "PROCESSOR # \($0)", .n(3), .x(upTo: 27)) }
        + (0...9).map { GS1Identifier("723\($0)", "CERT # \($0 + 1)", .x(2), .x(upTo: 28)) }

    private static let other: [GS1Identifier] =
        [
            .init(
                "8001", "DIMENSIONS", .n(4, .notZero), .n(5, .notZero), .n(3, .notZero), .n(1, .winding), .n(1)),
            .init("8002", "CMT No.", .x(upTo: 20)),
            .init("8003", "GRAI", .n(1, .zero), .key13, .x(upTo: 16, optional: true)),
            .init("8004", "GIAI", .x(upTo: 30)), .init("8006", "ITIP", .n(14, .checkDigit), .n(4, .pieceOfTotal)),
            .init("8009", "OPTSEN", .x(upTo: 50)), .init("8010", "CPID", .y(upTo: 30)),
            .init("8011", "CPID SERIAL", .n(upTo: 12)), .init("8012", "VERSION", .x(upTo: 20)),
            .init("8013", "GMN", .x(upTo: 25, .checkPair)), .init("8014", "MUDI", .x(upTo: 25, .checkPair)),
            .init("8017", "GSRN - PROVIDER", .n(18, .checkDigit)),
            .init("8018", "GSRN - RECIPIENT", .n(18, .checkDigit)), .init("8019", "SRIN", .n(upTo: 10)),
            .init("8026", "ITIP CONTENT", .n(14, .checkDigit), .n(4, .pieceOfTotal)),
            .init("8030", "DIGSIG", .z(upTo: 90)), .init("8110", "COUPON CODE", .x(upTo: 70)),
            .init("8112", "POSITIVE OFFER FILE", .x(upTo: 70)), .init("8200", "PRODUCT URL", .x(upTo: 70)),
            .init("90", "INTERNAL", .x(upTo: 30)),
        ] + (91...99).map { GS1Identifier("\($0)", "INTERNAL", .x(upTo: 90)) }
}
