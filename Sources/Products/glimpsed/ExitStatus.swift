import ArgumentParser

/// The exit statuses of all commands besides 0: sysexits.h's where it has one. Wrong usage, 64, is ArgumentParser's own.
extension ExitCode {
    static let failed = ExitCode(1)
    static let nothingFound = ExitCode(2)
    static let inputMissing = ExitCode(66)
    static let unavailable = ExitCode(69)
    static let configurationError = ExitCode(78)
}
