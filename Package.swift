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

/// Set-up puts OpenVINO's headers and libraries here, or links to those that the system has.
let openVINO = "\(Context.packageDirectory)/.deps/openvino"
/// Where executables find OpenVINO when they run: installed, and built in a checkout. Relative, so that no build path is shipped.
let openVINORunPaths = ["$ORIGIN/../../lib/glimpsed", "$ORIGIN/../../../.deps/openvino/lib"]

let package = Package(
    name: "Glimpse",
    products: [
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
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
        .testTarget(name: "EventsTests", dependencies: ["Events", "Observations"], swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)
