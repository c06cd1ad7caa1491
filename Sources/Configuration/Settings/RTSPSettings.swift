// SPDX-License-Identifier: Apache-2.0
/// A network camera.
package struct RTSPSettings: Sendable, Equatable {
    /// `rtsp://` or `rtsps://`, never with a user or a password inside: the loader refuses those.
    package var url: String
    package var user: String?
    package var password: PasswordSource?
    package var transport: Transport
    /// The jitter buffer. 0...60 s.
    package var latency: Duration

    package enum Transport: String, Sendable, CaseIterable {
        case tcp, udp, auto
    }

    package init(
        url: String, user: String? = nil, password: PasswordSource? = nil, transport: Transport = .tcp,
        latency: Duration = .milliseconds(200)
    ) {
        self.url = url
        self.user = user
        self.password = password
        self.transport = transport
        self.latency = latency
    }
}

/// Prints scheme and host only: some cameras take a password in the path or the query.
extension RTSPSettings: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return "(no address)" }
        let host = parts[2].prefix { !"/?#".contains($0) }.split(separator: "@", omittingEmptySubsequences: false)
        return "\(parts[0])//\(host.last ?? "")"
    }

    package var debugDescription: String { description }
}

/// Where a password is to be had. Settings never hold the password itself, so nothing that prints them can leak it.
package enum PasswordSource: Sendable, Equatable {
    /// The first line of this file.
    case file(String)
    /// This variable of the environment.
    case environment(String)
    /// This systemd credential: a file of that name in `$CREDENTIALS_DIRECTORY`.
    case credential(String)

    /// The possible files of the password; the first existing one holds it. Empty for a variable.
    ///
    /// - Parameters:
    ///   - credentials: systemd's folder of credentials; nil without one.
    ///   - place: the folder of which the unit makes credentials.
    package func files(credentials: String?, place: CredentialPlace = .cameras) -> [String] {
        switch self {
        case .file(let path): [path]
        case .environment: []
        // One that the unit names by itself, or one of a whole folder, which systemd.exec(5) gives the folder's name
        // first.
        case .credential(let name):
            credentials.map { ["\($0)/\(name)", "\($0)/\(place.prefix)\(name)"] } ?? []
        }
    }
}
