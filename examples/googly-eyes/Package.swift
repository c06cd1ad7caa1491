// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// The checkout in which `make setup` has run.
let glimpse = "../.."

let package = Package(
    name: "googly-eyes",
    dependencies: [.package(name: "Glimpse", path: glimpse)],
    targets: [
        .executableTarget(
            name: "googly-eyes", dependencies: [.product(name: "GlimpseVision", package: "Glimpse")],
            // The program finds OpenVINO here when it runs.
            linkerSettings: [
                .unsafeFlags(["-Xlinker", "-rpath=\(Context.packageDirectory)/\(glimpse)/.deps/openvino/lib"])
            ])
    ]
)
