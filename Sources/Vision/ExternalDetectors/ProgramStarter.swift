// SPDX-License-Identifier: Apache-2.0
import Detectors

/// Starts the program of one detector, and ends it. It holds what starting takes, so that the process may give up the
/// right to start programs itself.
package protocol ProgramStarter: Sendable {
    /// Starts the program. A program that still runs is ended first.
    ///
    /// - Parameters:
    ///   - input: becomes the program's standard input.
    ///   - output: becomes its standard output.
    ///   - ring: becomes its descriptor 3.
    /// - Throws: with a text for people.
    func start(input: CInt, output: CInt, ring: CInt) throws(DetectorError)

    /// Waits until the program ends by itself, and ends it after the limit, at most 5 seconds.
    ///
    /// - Returns: as `end`.
    func wait(within limit: Duration) -> String?

    /// Ends the program, if one runs.
    ///
    /// - Returns: how it ended, for people; nil if it had to be killed or none was started.
    func end() -> String?
}
