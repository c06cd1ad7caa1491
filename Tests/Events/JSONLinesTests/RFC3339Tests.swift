// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations
import Testing

@Suite struct RFC3339Tests {
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000000000Z"),
        (33_333_333, "1970-01-01T00:00:00.033333333Z"),
        (951_782_400_000_000_000, "2000-02-29T00:00:00.000000000Z"),
        (1_709_251_199_999_999_999, "2024-02-29T23:59:59.999999999Z"),
        (-1, "1969-12-31T23:59:59.999999999Z"),
        (.max, "2262-04-11T23:47:16.854775807Z"),
        (.min, "1677-09-21T00:12:43.145224192Z"),
    ])
    func rfc3339TimesAreUTCWithNanoseconds(nanoseconds: Int64, text: String) {
        #expect(Timestamp(nanoseconds: nanoseconds).rfc3339 == text)
    }
}
