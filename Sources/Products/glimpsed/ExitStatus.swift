// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The exit statuses of all commands besides 0, from `sysexits.h` where it defines one. ArgumentParser itself uses 64
/// for wrong usage.
extension ExitCode {
    static let failed = ExitCode(1)
    static let nothingFound = ExitCode(2)
    static let inputMissing = ExitCode(66)
    static let unavailable = ExitCode(69)
    static let configurationError = ExitCode(78)
}
