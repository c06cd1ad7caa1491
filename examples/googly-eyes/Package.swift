// swift-tools-version: 6.2
import PackageDescription

/// The checkout that `make setup` has run in.
let glimpse = "../.."

let package = Package(
    name: "googly-eyes",
    dependencies: [.package(name: "Glimpse", path: glimpse)],
    targets: [
        .executableTarget(
            name: "googly-eyes", dependencies: [.product(name: "GlimpseVision", package: "Glimpse")],
            // Where the program finds OpenVINO when it runs.
            linkerSettings: [
                .unsafeFlags(["-Xlinker", "-rpath=\(Context.packageDirectory)/\(glimpse)/.deps/openvino/lib"])
            ])
    ]
)
