// SPDX-License-Identifier: Apache-2.0
/// The program's version as shown by `--version` and `hello`.
enum Version {
    static let text = "0.1.0"
}
