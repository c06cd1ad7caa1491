// SPDX-License-Identifier: Apache-2.0
/// A folder of passwords, each file of which systemd gives to a service as a credential (`LoadCredential=`).
package struct CredentialPlace: Sendable {
    /// The beginning of the names of its credentials.
    let prefix: String
    let folder: String

    /// The daemon's folder, for cameras and search servers.
    package static let cameras = CredentialPlace(prefix: "camera_", folder: "/etc/glimpsed/credentials")
    /// The relay's folder, for brokers and webhooks.
    package static let relay = CredentialPlace(prefix: "relay_", folder: "/etc/glimpsed/relay-credentials")
    /// The folder of the page's token.
    package static let page = CredentialPlace(prefix: "web_", folder: "/etc/glimpsed/web-credentials")
}
