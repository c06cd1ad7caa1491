// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "codes",
    // In your own program: .package(url: "...", from: "...")
    dependencies: [.package(name: "Glimpse", path: "../..")],
    targets: [
        .executableTarget(name: "codes", dependencies: [.product(name: "GlimpseClient", package: "Glimpse")]),
        .executableTarget(name: "visitors", dependencies: [.product(name: "GlimpseClient", package: "Glimpse")]),
    ]
)
