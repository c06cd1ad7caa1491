// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import MetricsText

/// The option that selects a relay.
struct RelayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The relay's control socket, whose state is added.", valueName: "path"))
    var relaySocket = RelayState.defaultSocket

    /// The state of the relay; nil without a relay, or without its answer within a second.
    var relay: RelayState? {
        (try? DaemonConnection(relaySocket))?.nextLine(timeout: 1000).flatMap(RelayState.init)
    }
}
