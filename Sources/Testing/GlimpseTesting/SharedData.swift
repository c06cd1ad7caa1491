// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Pictures, films, models and corpora that are not part of the repository.
package enum SharedData {
    /// `GLIMPSE_SHARED`, or the folder `shared` beside the checkout.
    package static let folder: String =
        getenv("GLIMPSE_SHARED").map { String(cString: $0) } ?? "\(Checkout.root)/../shared"

    /// Whether to run tests of `path`: the file exists, or `GLIMPSE_REQUIRE_SHARED` demands it.
    package static func has(_ path: String) -> Bool {
        access("\(folder)/\(path)", R_OK) == 0 || getenv("GLIMPSE_REQUIRE_SHARED") != nil
    }

    package static func path(_ path: String) -> String { "\(folder)/\(path)" }
}

/// The source tree from which the tests were built.
package enum Checkout {
    package static let root: String = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
    /// The environment in which Python programs find the package of `clients/python`.
    package static let pythonClient = ["PYTHONPATH": "\(root)/clients/python/src"]
}
