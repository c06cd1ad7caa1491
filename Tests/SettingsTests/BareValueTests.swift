import Testing

@testable import Settings

struct BareValueTests {
    @Test(arguments: [
        "true", "false", "0", "-0", "+5", "1_000", "0.5", "-3.14e-2", "6.02E+23", "1e06", "1_0.2_5", "inf", "-inf",
        "+nan", "0xDEAD_beef", "0o755", "0b1010",
    ])
    func valid(text: String) {
        #expect(BareValue.isValid(text))
    }

    @Test(arguments: [
        "", "True", "01", "-01", "1_", "_1", "1__0", "1.", ".5", "1.e5", "1e", "e5", "1e5e5", "1.2.3", "--1", "+-1",
        "0x", "0x_1", "+0x1", "0b2", "0o8", "infinity", "1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", "1:2", "٣",
        "abc", "10s", "0.5_", "00.5",
    ])
    func invalid(text: String) {
        #expect(!BareValue.isValid(text))
    }
}
