// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Every warning is an error. libstdc++ 12's own headers use a class that Clang calls deprecated.
let strictCXX: [CXXSetting] = [
    .enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error),
    .disableWarning("deprecated-declarations"),
]

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
]
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// Set-up puts OpenVINO's headers and libraries here, or links to those that the system has.
let openVINO = "\(Context.packageDirectory)/.deps/openvino"
/// Where executables find OpenVINO when they run: installed, and built in a checkout. Relative, so that no build path is shipped.
let openVINORunPaths = ["$ORIGIN/../../lib/glimpsed", "$ORIGIN/../../../.deps/openvino/lib"]

let package = Package(
    name: "Glimpse",
    products: [
        .executable(name: "glimpsed", targets: ["glimpsed"]),
        .executable(name: "glimpsed-worker", targets: ["glimpsed-worker"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(name: "CGStreamer", pkgConfig: "gstreamer-video-1.0 gstreamer-app-1.0"),
        .target(
            name: "COpenVINO",
            cxxSettings: strictCXX + [.unsafeFlags(["-isystem", "\(openVINO)/include"])],
            linkerSettings: [
                .linkedLibrary("openvino"), .linkedLibrary("stdc++"),
                .unsafeFlags(["-L\(openVINO)/lib"] + openVINORunPaths.flatMap { ["-Xlinker", "-rpath=\($0)"] }),
            ]),
        .target(
            name: "CZXing",
            cxxSettings: strictCXX + [.unsafeFlags(["-isystem", "/usr/include/ZXing"]), .define("ZX_USE_UTF8")],
            linkerSettings: [.linkedLibrary("ZXing")]),
        .target(
            name: "COpenCV",
            cxxSettings: strictCXX + [.unsafeFlags(["-isystem", "/usr/include/opencv4"])],
            linkerSettings: ["opencv_core", "opencv_imgproc", "opencv_objdetect"].map { .linkedLibrary($0) }),
        .target(
            name: "Settings", dependencies: [.product(name: "TOMLKit", package: "TOMLKit")], swiftSettings: strict),
        .target(name: "TestScene", swiftSettings: strict),
        .target(
            name: "GStreamerSource", dependencies: ["CGStreamer", "Frames", "Observations", "Settings", "TestScene"],
            swiftSettings: strict),
        .target(name: "Observations", swiftSettings: strict),
        .target(name: "Events", dependencies: ["Observations"], swiftSettings: strict),
        .target(name: "Frames", dependencies: ["Observations"], swiftSettings: strict),
        .target(name: "Detectors", dependencies: ["Frames", "Observations"], swiftSettings: strict),
        .target(name: "Tracking", dependencies: ["Observations"], swiftSettings: strict),
        .target(
            name: "Pipelines", dependencies: ["Detectors", "Events", "Frames", "Observations", "Tracking"],
            swiftSettings: strict),
        .target(
            name: "VisionDetectors",
            dependencies: ["COpenCV", "COpenVINO", "CZXing", "Detectors", "Frames", "Observations", "Settings"],
            swiftSettings: strict),
        .target(
            name: "Assembly",
            dependencies: [
                "Detectors", "Events", "Frames", "GStreamerSource", "Observations", "Pipelines", "Settings", "TestScene",
                "Tracking", "VisionDetectors",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "glimpsed-worker",
            dependencies: [
                "Assembly", "Events", "Frames", "Observations", "Pipelines", "Settings",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .target(name: "CProcess"),
        .target(name: "EventSocket", dependencies: ["Events", "Observations", logging] + nio, swiftSettings: strict),
        .target(
            name: "Workers", dependencies: ["CProcess", "Events", "Observations", logging] + nio, swiftSettings: strict),
        .target(
            name: "Daemon",
            dependencies: [
                "EventSocket", "Events", "Observations", "Settings", "Workers", logging,
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ] + nio, swiftSettings: strict),
        .executableTarget(
            name: "glimpsed", dependencies: ["Daemon", "Settings", arguments, logging], swiftSettings: strict),
        .target(name: "GlimpseTesting", dependencies: ["Events", "Observations"], swiftSettings: strict),
        .executableTarget(
            name: "ScriptedWorker", dependencies: ["Events", "GlimpseTesting", "Observations"],
            path: "Tests/ScriptedWorker", swiftSettings: strict),
        .testTarget(
            name: "EventsTests", dependencies: ["Events", "GlimpseTesting", "Observations"], swiftSettings: strict),
        .testTarget(
            name: "GStreamerSourceTests",
            dependencies: ["Frames", "GStreamerSource", "GlimpseTesting", "Observations", "Settings", "TestScene"],
            swiftSettings: strict),
        .testTarget(
            name: "AssemblyTests",
            dependencies: [
                "Assembly", "Detectors", "Events", "Frames", "GlimpseTesting", "Observations", "Pipelines", "Settings",
                "Tracking",
            ], swiftSettings: strict),
        .testTarget(
            name: "WorkerTests", dependencies: ["GlimpseTesting", "glimpsed-worker"], swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)
