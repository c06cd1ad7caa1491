// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif

/// The video devices of this machine.
enum Cameras {
    /// Paths of device files in ascending order of their numbers.
    static var all: [String] {
        (0..<64).map { "/dev/video\($0)" }.filter { access($0, F_OK) == 0 }
    }

    /// The first device that this user may open.
    static var first: String? {
        all.first(where: isUsable)
    }

    static func isUsable(_ device: String) -> Bool {
        access(device, R_OK | W_OK) == 0
    }
}
