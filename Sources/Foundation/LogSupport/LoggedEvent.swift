// SPDX-License-Identifier: Apache-2.0
/// Log entries that programs look for. In a log they stand under `key`; the journal has the id as well:
/// systemd.journal-fields(7), MESSAGE_ID=. Neither name nor id of one ever changes.
package enum LoggedEvent: String, CaseIterable, Sendable {
    /// The metadata's key.
    package static let key = "event"

    /// The sockets are served.
    case serving
    case stopped
    case workerStarted = "worker_started"
    case sourceState = "source_state"
    case detectorState = "detector_state"
    case reloadDone = "reload_done"
    /// The old configuration stays.
    case reloadRefused = "reload_refused"
    /// A pipeline did not work with what a reload gave it, and has its old settings back.
    case trialFailed = "trial_failed"

    /// 128 bits, drawn once.
    package var messageID: String {
        switch self {
        case .serving: "bc23a7fe845e4cd9ba4fd27565aad69f"
        case .stopped: "c1c24ef5654640d3aad0e3366f6bbb0e"
        case .workerStarted: "9c260f93a0eb4b629a94f460b86d706e"
        case .sourceState: "281e084b1c6f487b9ec924388283e705"
        case .detectorState: "997dddbd179b4805a2b30cddfea370d6"
        case .reloadDone: "edfa79102bdc4d1596a9cf1516015005"
        case .reloadRefused: "2d666121f36741bfbcf5e75759c3d0b3"
        case .trialFailed: "cec6d7fadd864f55b49581353cdd0bbc"
        }
    }
}
