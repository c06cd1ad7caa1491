// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "GlimpseBenchmarks",
    dependencies: [
        .package(name: "Glimpse", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "glimpse-bench",
            dependencies: [
                .product(name: "CAllocations", package: "Glimpse"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Glimpse", package: "Glimpse"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
