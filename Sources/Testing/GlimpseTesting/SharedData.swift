import Glibc

/// Pictures, films, models and corpora that are not part of the repository.
package enum SharedData {
    /// `GLIMPSE_SHARED`, or the folder `shared` beside the checkout.
    package static let folder: String =
        getenv("GLIMPSE_SHARED").map { String(cString: $0) } ?? "\(Checkout.root)/../shared"

    /// Whether tests of `path` are to run: it is there, or `GLIMPSE_REQUIRE_SHARED` says that it must be.
    package static func has(_ path: String) -> Bool {
        access("\(folder)/\(path)", R_OK) == 0 || getenv("GLIMPSE_REQUIRE_SHARED") != nil
    }

    package static func path(_ path: String) -> String { "\(folder)/\(path)" }
}

/// The source tree that the tests were built from.
package enum Checkout {
    package static let root: String = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
}
