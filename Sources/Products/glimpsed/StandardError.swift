// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Standard error for messages to people, for `print(_:to:)`.
struct StandardError: TextOutputStream {
    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count > 0 { rest.removeFirst(count) } else if errno != EINTR { return }
        }
    }
}
