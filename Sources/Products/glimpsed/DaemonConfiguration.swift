// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Settings

/// The daemon settings for a command: from the given file, or from the default file if it is readable.
///
/// - Throws: exit status 78 when the given file cannot be read; the reason is on standard error.
func daemonSettings(_ file: String?) throws -> DaemonSettings {
    do {
        return try DaemonSettings.load(file: file ?? ConfigurationCheck.defaultFile)
    } catch {
        guard file != nil else { return DaemonSettings() }
        say(error.description)
        throw ExitCode.configurationError
    }
}
