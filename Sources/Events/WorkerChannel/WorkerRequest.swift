// SPDX-License-Identifier: Apache-2.0
import BinaryFormat

/// A request of the supervisor that the worker answers.
package enum WorkerRequest: Sendable, Equatable {
    /// Writes the next frame to a JPEG file in an existing folder. `isCaptioned` draws the pipeline's name and the time
    /// into the picture.
    case snapshot(path: String, isCaptioned: Bool)

    private enum Tag: UInt8 {
        case snapshot = 1
    }

    func appendPayload(to bytes: inout [UInt8]) {
        switch self {
        case .snapshot(let path, let isCaptioned):
            bytes.append(Tag.snapshot.rawValue)
            bytes.append(string: path)
            bytes.append(isCaptioned ? 1 : 0)
        }
    }

    init?(_ reader: inout PayloadReader) {
        switch reader.byte().flatMap(Tag.init) {
        case .snapshot:
            guard let path = reader.string(), let isCaptioned = reader.byte(), isCaptioned <= 1 else { return nil }
            self = .snapshot(path: path, isCaptioned: isCaptioned == 1)
        case nil: return nil
        }
    }
}
