// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
]
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

let package = Package(
    name: "Glimpse",
    products: [
        .executable(name: "glimpsed", targets: ["glimpsed"])
    ],
    dependencies: [
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "Observations", swiftSettings: strict),
        .target(name: "Events", dependencies: ["Observations"], swiftSettings: strict),
        .target(
            name: "Settings", dependencies: [.product(name: "TOMLKit", package: "TOMLKit")], swiftSettings: strict),
        .target(name: "EventSocket", dependencies: ["Events", "Observations", logging] + nio, swiftSettings: strict),
        .target(name: "CProcess"),
        .target(
            name: "Workers", dependencies: ["CProcess", "Events", "Observations", logging] + nio, swiftSettings: strict),
        .target(name: "Frames", dependencies: ["Observations"], swiftSettings: strict),
        .target(name: "Detectors", dependencies: ["Frames", "Observations"], swiftSettings: strict),
        .target(name: "Tracking", dependencies: ["Observations"], swiftSettings: strict),
        .target(
            name: "Pipelines", dependencies: ["Detectors", "Events", "Frames", "Observations", "Tracking"],
            swiftSettings: strict),
        .target(
            name: "Daemon",
            dependencies: [
                "EventSocket", "Events", "Observations", "Settings", "Workers", logging,
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ] + nio, swiftSettings: strict),
        .executableTarget(
            name: "glimpsed",
            dependencies: [
                "Daemon", "Settings", logging, .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: strict),
        .testTarget(name: "EventsTests", dependencies: ["Events", "Observations"], swiftSettings: strict),
    ]
)
