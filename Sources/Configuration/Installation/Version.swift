// SPDX-License-Identifier: Apache-2.0
/// The version of all programs, as shown by `--version` and `hello`.
package enum Version {
    package static let text = "0.1.0"
}
