// SPDX-License-Identifier: Apache-2.0
import Frames

/// Exit statuses of the command line, from `sysexits.h`. A command throws one after it has written its message.
enum ExitStatus: Int32, Error {
    case failed = 1
    case usage = 64
    case noInput = 66
    case unavailable = 69
    case configuration = 78

    init(_ error: SourceError) {
        self =
            switch error.kind {
            case .missing, .forbidden: .noInput
            case .notInstalled: .unavailable
            case .misconfigured: .configuration
            case .unreadable, .failed: .failed
            }
    }
}
