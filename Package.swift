// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "Glimpse",
    products: [
    ],
    dependencies: [
    ],
    targets: [
        .target(name: "Observations", swiftSettings: strict),
        .target(name: "Events", dependencies: ["Observations"], swiftSettings: strict),
        .target(name: "Frames", dependencies: ["Observations"], swiftSettings: strict),
        .target(name: "Detectors", dependencies: ["Frames", "Observations"], swiftSettings: strict),
        .target(name: "Tracking", dependencies: ["Observations"], swiftSettings: strict),
        .target(
            name: "Pipelines", dependencies: ["Detectors", "Events", "Frames", "Observations", "Tracking"],
            swiftSettings: strict),
        .testTarget(name: "EventsTests", dependencies: ["Events", "Observations"], swiftSettings: strict),
    ]
)
