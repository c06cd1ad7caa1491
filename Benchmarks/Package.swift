// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "GlimpseBenchmarks",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        .executableTarget(
            name: "glimpse-bench",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
