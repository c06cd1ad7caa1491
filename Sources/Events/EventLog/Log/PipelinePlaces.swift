// SPDX-License-Identifier: Apache-2.0
/// The names of the zones and the lines to cross that a pipeline's configuration has, in the configuration's order.
package struct PipelinePlaces: Sendable, Equatable {
    package var zones: [String]
    package var lines: [String]

    package init(zones: [String] = [], lines: [String] = []) {
        self.zones = zones
        self.lines = lines
    }
}
