import ArgumentParser
import Settings

/// The settings of the daemon that a command is about: of the file that was named, or of the usual one as far as that can be read here.
///
/// - Throws: exit status 78 when a file that was named cannot be read; said on standard error.
func daemonSettings(_ file: String?) throws -> DaemonSettings {
    do {
        return try DaemonSettings.load(file: file ?? ConfigurationCheck.defaultFile)
    } catch {
        guard file != nil else { return DaemonSettings() }
        say(error.description)
        throw ExitCode.configurationError
    }
}
