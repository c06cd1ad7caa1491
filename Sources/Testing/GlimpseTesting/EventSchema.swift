// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The published schema of the event stream, applied by an independent validator.
package enum EventSchema {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The violations in the lines; empty if they are valid.
    package static func violations(in lines: [[UInt8]]) throws -> [String] {
        let validator = Process()
        validator.executableURL = URL(filePath: "/usr/bin/env")
        validator.arguments = ["python3", "\(Checkout.root)/scripts/validate-events.py"]
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        validator.standardInput = input
        validator.standardOutput = output
        validator.standardError = errors
        try validator.run()
        // The validator reads all input before it writes.
        for line in lines {
            let isEnded = line.last == UInt8(ascii: "\n")
            try input.fileHandleForWriting.write(contentsOf: Data(isEnded ? line : line + [UInt8(ascii: "\n")]))
        }
        try input.fileHandleForWriting.close()
        let violations = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let complaint = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        validator.waitUntilExit()
        guard complaint.isEmpty, (validator.terminationStatus == 0) == violations.isEmpty else {
            throw Failure(
                description: "scripts/validate-events.py ended with \(validator.terminationStatus): \(complaint)")
        }
        return violations.split(separator: "\n").map(String.init)
    }
}
