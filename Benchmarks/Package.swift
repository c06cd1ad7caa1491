// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "GlimpseBenchmarks",
    dependencies: [
        .package(name: "Glimpse", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        // Counts the heap's calls by standing before them.
        .target(name: "CAllocations"),
        .executableTarget(
            name: "glimpse-bench",
            dependencies: [
                "CAllocations",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Glimpse", package: "Glimpse"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
)
