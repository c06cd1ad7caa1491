// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Every warning is an error.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]

/// Optimised in debug builds too: a detector without is no use to any test. libstdc++ 12's own headers use a class that
/// Clang calls deprecated.
let strictCXX: [CXXSetting] = [
    .enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error),
    .disableWarning("deprecated-declarations"), .unsafeFlags(["-O2"], .when(configuration: .debug)),
]

/// Builds the coverage-guided fuzzer in place of the tests that replay its inputs: see scripts/fuzz-guided.sh.
let isGuided = Context.environment["GLIMPSE_FUZZ_GUIDED"] != nil

/// The folder that set-up fills. `GLIMPSE_DEPS` names the folder of another checkout: a copy that SwiftPM has fetched
/// has none.
let elsewhere = Context.environment["GLIMPSE_DEPS"]
let fetched = elsewhere ?? "\(Context.packageDirectory)/.deps"
/// Set-up puts OpenVINO's headers and libraries here, or links to those that the system has.
let openVINO = "\(fetched)/openvino"
/// Set-up builds ZXing here, or links to the system's. The library is named by its path: GStreamer's flags name the
/// system's folder first.
let zxing = "\(fetched)/zxing"
/// Where executables find OpenCV's plugins (beside them) and OpenVINO (installed, and built in a checkout) when they
/// run. Relative, so that no build path is shipped. `GLIMPSE_DEPS` adds an absolute one.
let runPaths =
    ["$ORIGIN", "$ORIGIN/../../lib/glimpsed", "$ORIGIN/../../../.deps/openvino/lib"]
    + (elsewhere.map { ["\($0)/openvino/lib"] } ?? [])

/// SwiftPM links a dynamic library with libswiftCore.so, which is not there where executables carry it. The plugins
/// have no Swift: nothing of the static one is taken.
let withoutSwift: LinkerSetting = .unsafeFlags(["-nostartfiles", "-static-stdlib"])

/// A library's own name; the linker would take the path that it writes to.
func named(_ library: String) -> LinkerSetting { .unsafeFlags(["-Xlinker", "-soname=\(library)"]) }

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// - Parameter exclude: folders of files in other languages.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: ["GlimpseTesting", "Observations"] + dependencies, exclude: exclude,
        swiftSettings: strict)
}

/// Tests that replay the inputs of the coverage-guided fuzzer, or the fuzzer itself.
func fuzzing(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    guard isGuided else { return tests(name, dependencies, exclude: ["Fuzzer.swift"]) }
    return .executableTarget(
        name: name, dependencies: ["GlimpseTesting", "Observations"] + dependencies, path: "Tests/Testing/\(name)",
        exclude: ["GuidedFuzzTests.swift"], swiftSettings: strict)
}

let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
]
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

/// Floors of `Sources`, lowest first, each a folder. A module imports modules of its own floor and of those below.
func floor(_ name: String, _ targets: [Target]) -> [Target] {
    for target in targets where target.path == nil {
        target.path = target.isTest ? "Tests/\(name)/\(target.name)" : "Sources/\(name)/\(target.name)"
    }
    return targets
}

/// Each C or C++ library behind a plain C ABI in a target of its own.
let libraries = floor(
    "Libraries",
    [
        .systemLibrary(
            name: "CGStreamer", path: "Sources/Libraries/CGStreamer",
            pkgConfig: "gstreamer-video-1.0 gstreamer-app-1.0"),
        // For the others in C++.
        .target(name: "CErrorReport", cxxSettings: strictCXX),
        .target(
            name: "COpenVINO", dependencies: ["CErrorReport"],
            cxxSettings: strictCXX + [.unsafeFlags(["-isystem", "\(openVINO)/include"])],
            linkerSettings: [
                .linkedLibrary("openvino"), .linkedLibrary("stdc++"),
                .unsafeFlags(["-L\(openVINO)/lib"] + runPaths.flatMap { ["-Xlinker", "-rpath=\($0)"] }),
            ]),
        .target(
            name: "CZXing", dependencies: ["CErrorReport"],
            cxxSettings: strictCXX + [.unsafeFlags(["-isystem", "\(zxing)/include"]), .define("ZX_USE_UTF8")],
            linkerSettings: [.unsafeFlags(["\(zxing)/lib/libZXing.a"]), .linkedLibrary("stdc++")]),
        .target(name: "CCascade"),
        .target(
            name: "CascadePlugin", dependencies: ["CCascade", "CErrorReport"],
            cxxSettings: strictCXX + [.unsafeFlags(["-isystem", "/usr/include/opencv4"])],
            linkerSettings: ["opencv_core", "opencv_imgproc", "opencv_objdetect"].map { .linkedLibrary($0) }
                + [withoutSwift, named("libGlimpseCascade.so")]),
        .target(name: "CMotion"),
        .target(
            name: "MotionPlugin", dependencies: ["CErrorReport", "CMotion"],
            cxxSettings: strictCXX + [.unsafeFlags(["-isystem", "/usr/include/opencv4"])],
            linkerSettings: ["opencv_core", "opencv_imgproc", "opencv_video"].map { .linkedLibrary($0) }
                + [withoutSwift, named("libGlimpseMotion.so")]),
        .target(name: "COneHeap"),
        .target(name: "CProcess"),
        .target(
            name: "CTOML", dependencies: ["CErrorReport"], cxxSettings: strictCXX,
            linkerSettings: [.linkedLibrary("stdc++")]),
        .target(name: "CSandbox"),
        .target(name: "CProgramHost", dependencies: ["CSandbox"]),
        .systemLibrary(
            name: "CMosquitto", path: "Sources/Libraries/CMosquitto", pkgConfig: "libmosquitto"),
        .systemLibrary(name: "CSQLite", path: "Sources/Libraries/CSQLite", pkgConfig: "sqlite3"),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl")]),
    ])

/// Modules that know nothing of cameras, pipelines and events.
let foundation = floor(
    "Foundation",
    [
        module("Confinement"),
        module("Observations"),
        module("SHA2"),
        module("SocketAddresses"),
        module("SQLite", ["CSQLite"]),
        module("BinaryFormat"),
        module("BarcodeValues", ["Observations"]),
        module("LogSupport"),
        module("MetricsText"),
        module("TerminalText"),
        module("HTTPClient", ["CCurl"]),
        tests("BarcodeValuesTests", ["BarcodeValues", "EventLines"]),
        tests("BinaryFormatTests", ["BinaryFormat"]),
        tests("ConfinementTests", ["Confinement"]),
        tests("MetricsTextTests", ["MetricsText"]),
        tests("SQLiteTests", ["SQLite"]),
        tests("TerminalTextTests", ["TerminalText"]),
    ])

let configuration = floor(
    "Configuration",
    [
        module("ModelCatalog"),
        module("Settings", ["BarcodeValues", "CTOML", "ModelCatalog", "Observations"]),
        module("Installation", ["ModelCatalog", "Settings"]),
        module("ModelStore", ["HTTPClient", "ModelCatalog", "SHA2"]),
        tests("SettingsTests", ["BarcodeValues", "CHeap", "LaneSettings", "ModelCatalog", "Search", "Settings"]),
        tests(
            "ModelStoreTests",
            [
                "HTTPClient", "Installation", "ModelCatalog", "ModelStore", "SHA2", "Settings", "glimpsed",
                "glimpsed-worker",
            ]),
    ])

/// Frames, and where they come from.
let media = floor(
    "Media",
    [
        module("Frames", ["Observations"]),
        module("FragmentedVideo", ["Frames"]),
        module("TestScene"),
        module("GStreamerSource", ["CGStreamer", "Frames", "Observations", "Settings", "TestScene"]),
        module("PictureRelease", ["Frames", "Observations"]),
        module(
            "PictureEncoding",
            ["CGStreamer", "Confinement", "Frames", "GStreamerSource", "Observations", "PictureRelease"]),
        tests(
            "GStreamerSourceTests",
            ["DecoderProbe", "Frames", "GStreamerSource", "PictureEncoding", "PictureRelease", "Settings", "TestScene"]),
        tests("PictureReleaseTests", ["Frames", "PictureRelease"]),
    ])

/// From pixels to detections.
let vision = floor(
    "Vision",
    [
        module("Detectors", ["Frames", "Observations"]),
        module("Inference", ["COpenVINO", "Detectors", "Frames", "ModelCatalog", "Observations"]),
        module(
            "VisionDetectors",
            [
                "BarcodeValues", "CCascade", "CMotion", "CZXing", "Detectors", "Frames", "Inference", "Installation",
                "ModelCatalog", "Observations", "Settings",
            ]),
        module(
            "ExternalDetectors",
            [
                "BarcodeValues", "CGStreamer", "CProcess", "CProgramHost", "Detectors", "Frames", "GStreamerSource",
                "Observations", "Settings",
            ]),
        tests("BarcodeStreamTests", ["CZXing", "Detectors", "Frames", "Settings", "Tracking", "VisionDetectors"]),
        tests("DetectorsTests", ["Detectors", "Frames"]),
        tests(
            "InferenceTests",
            ["Detectors", "Frames", "GStreamerSource", "Inference", "ModelCatalog", "Settings"]),
        tests(
            "VisionDetectorsTests",
            [
                "Detectors", "Frames", "GStreamerSource", "Inference", "Installation", "ModelCatalog", "Settings",
                "VisionDetectors",
            ]),
    ])

/// From detections to tracks and searches: functions of values.
let tracking = floor(
    "Tracking",
    [
        module("Tracking", ["Observations"]),
        module("Search", ["Observations"]),
        tests("TrackingTests", ["Conformance", "Tracking"]),
        tests("SearchTests", ["Search"]),
    ])

/// Lines, their order, and their journals.
let events = floor(
    "Events",
    [
        module("JSONLines", ["Observations"]),
        module("EventLines", ["BarcodeValues", "JSONLines", "Observations", "SHA2", "Search"]),
        module(
            "EventLog",
            [
                "BarcodeValues", "EventLines", "JSONLines", "Observations",
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        module("WorkerChannel", ["BinaryFormat", "EventLines", "Observations", "Search"]),
        module("Conformance", ["EventLines", "EventLog", "JSONLines", "Observations"]),
        module(
            "DiskJournal",
            ["BinaryFormat", "EventLines", "EventLog", "JSONLines", "Observations", "SQLite", logging]),
        tests("JSONLinesTests", ["JSONLines"]),
        tests("EventLinesTests", ["BarcodeValues", "Conformance", "EventLines", "JSONLines", "SHA2", "Search"]),
        tests(
            "EventLogTests", ["BarcodeValues", "CHeap", "Conformance", "EventLines", "EventLog", "JSONLines", "Search"]),
        tests("WorkerChannelTests", ["EventLines", "EventLog", "Search", "WorkerChannel"]),
        tests("ConformanceTests", ["Conformance"]),
        tests(
            "DiskJournalTests",
            [
                "BarcodeValues", "BinaryFormat", "CHeap", "DiskJournal", "EventLines", "EventLog", "SQLite", "Search",
                logging,
            ]),
    ])

/// A frame's way from its source to its lines.
let pipeline = floor(
    "Pipeline",
    [
        module(
            "Pipelines",
            [
                "BarcodeValues", "CProcess", "Detectors", "EventLines", "Frames", "LogSupport", "Observations",
                "PictureRelease", "Search", "Tracking",
            ]),
        module(
            "LaneSettings", ["Frames", "Observations", "PictureRelease", "Pipelines", "Search", "Settings", "Tracking"]),
        module(
            "Tapes", ["BarcodeValues", "BinaryFormat", "EventLines", "Observations", "Pipelines", "Search", "Tracking"]),
        module("PictureStorage", ["FragmentedVideo", "JSONLines", "Observations"]),
        module(
            "Pictures",
            [
                "Confinement", "EventLines", "FragmentedVideo", "Frames", "JSONLines", "LogSupport", "Observations",
                "PictureEncoding", "PictureRelease", "PictureStorage", "Pipelines", "Tracking",
            ]),
        module(
            "Clips",
            [
                "Confinement", "EventLines", "FragmentedVideo", "Frames", "Observations", "PictureRelease",
                "PictureStorage", "Pipelines",
            ]),
        module(
            "SearchEngines",
            [
                "BarcodeValues", "BinaryFormat", "Confinement", "Detectors", "EventLines", "Frames", "GStreamerSource",
                "HTTPClient", "Inference", "Installation", "JSONLines", "ModelCatalog", "Observations",
                "PictureStorage", "SHA2", "Search", "Settings",
            ]),
        module(
            "Assembly",
            [
                "Clips", "Detectors", "EventLines", "ExternalDetectors", "Frames", "GStreamerSource", "Installation",
                "JSONLines",
                "LaneSettings", "Observations", "PictureEncoding", "PictureRelease", "PictureStorage", "Pictures",
                "Pipelines",
                "Search",
                "SearchEngines", "Settings", "Tapes", "TestScene", "Tracking", "VisionDetectors",
            ]),
        tests(
            "PipelinesTests",
            [
                "BarcodeValues", "Conformance", "Detectors", "EventLines", "EventLog", "Frames", "LogSupport",
                "Pipelines", "Search", "Tapes", "Tracking",
            ]),
        tests(
            "TapesTests",
            [
                "Assembly", "BarcodeValues", "EventLines", "Installation", "Pipelines", "Search", "Settings", "Tapes",
                "Tracking", "glimpsed",
            ]),
        tests(
            "PicturesTests",
            [
                "Assembly", "Detectors", "Frames", "GStreamerSource", "Installation", "LaneSettings", "PictureEncoding",
                "PictureRelease", "PictureStorage", "Pictures", "Pipelines", "Settings", "Tapes", "Tracking",
                "glimpsed",
                "glimpsed-worker",
            ]),
        tests(
            "ClipsTests",
            ["Clips", "EventLines", "FragmentedVideo", "Frames", "GStreamerSource", "PictureStorage", "Settings"]),
        tests(
            "SearchEnginesTests",
            [
                "Assembly", "BarcodeValues", "CCurl", "Frames", "GStreamerSource", "HTTPClient", "Installation",
                "Pictures", "Search", "SearchEngines", "Settings", "glimpsed", "glimpsed-worker",
            ]),
        tests(
            "AssemblyTests",
            [
                "Assembly", "Detectors", "EventLines", "Frames", "GStreamerSource", "Installation", "Pipelines",
                "Search", "Settings", "Tracking", "VisionDetectors",
            ]),
    ])

/// Lines to subscribers, commands of users.
let delivery = floor(
    "Delivery",
    [
        module("UnixSocket", ["LogSupport", "SocketAddresses", logging]),
        module("EventSocket", ["CProcess", "EventLines", "EventLog", "Observations", "UnixSocket", logging] + nio),
        module(
            "ControlSocket",
            ["DiskJournal", "EventLog", "JSONLines", "MetricsText", "Observations", "Search", "UnixSocket", logging]
                + nio),
        tests("UnixSocketTests", ["UnixSocket"]),
        tests("EventSocketTests", ["EventLines", "EventLog", "EventSocket", logging] + nio),
        tests("ControlSocketTests", ["ControlSocket", "DiskJournal", "Search", "UnixSocket", logging] + nio),
    ])

/// Processes: their rights, and their supervision.
let supervision = floor(
    "Supervision",
    [
        module("Sandbox", ["CSandbox", "Installation", "Settings"]),
        module("ProgramHost", ["CProgramHost", "CSandbox", "Detectors", "ExternalDetectors", "Sandbox", "Settings"]),
        module("ServiceManager", ["SocketAddresses"]),
        module(
            "Workers",
            [
                "CProcess", "EventLines", "EventLog", "JSONLines", "LogSupport", "Observations", "Search",
                "WorkerChannel", logging,
            ] + nio),
        module(
            "Daemon",
            [
                "CProcess", "ControlSocket", "DiskJournal", "EventLines", "EventLog", "EventSocket", "JSONLines",
                "LogSupport", "MetricsText", "Observations", "PictureStorage", "Sandbox", "Search", "ServiceManager",
                "Settings", "UnixSocket", "WorkerChannel", "Workers", lifecycle, logging,
            ] + nio),
        tests(
            "ProgramHostTests",
            [
                "Assembly", "Detectors", "ExternalDetectors", "Frames", "GStreamerSource", "Installation", "Pipelines",
                "ProgramHost", "Settings", "glimpsed", "glimpsed-worker",
            ]),
        tests("SandboxTests", ["Installation", "Sandbox", "SandboxProbe", "Settings"]),
        tests("ServiceManagerTests", ["ServiceManager", "SocketAddresses"]),
        tests("WorkersTests", ["EventLines", "EventLog", "ScriptedWorker", "WorkerChannel", "Workers", logging] + nio),
        tests(
            "DaemonTests",
            [
                "Conformance", "Daemon", "GlimpseClient", "LogSupport", "Sandbox", "ScriptedWorker",
                "ServiceManager", "Settings", "SocketAddresses", "UnixSocket", "glimpsed", "glimpsed-worker", logging,
            ]),
    ])

/// The three libraries and the four programs.
let products = floor(
    "Products",
    [
        // No C below it.
        module(
            "Glimpse",
            [
                "BarcodeValues", "Detectors", "EventLines", "Frames", "JSONLines", "Observations", "Pipelines",
                "Search", "Tracking",
            ]),
        module(
            "GlimpseVision",
            [
                "Assembly", "Detectors", "Frames", "Glimpse", "Installation", "LaneSettings", "Observations",
                "Pipelines",
                "Settings",
            ]),
        module("GlimpseClient", ["SocketAddresses"]),
        .executableTarget(
            name: "glimpsed-worker",
            dependencies: [
                "Assembly", "COneHeap", "CProcess", "Detectors", "EventLines", "ExternalDetectors", "Frames",
                "GStreamerSource", "Inference", "Installation", "Observations", "Pictures", "Pipelines", "ProgramHost",
                "Sandbox", "Search", "SearchEngines", "Settings", "Tapes", "VisionDetectors", "WorkerChannel",
                arguments,
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "glimpsed",
            dependencies: [
                "COneHeap", "Conformance", "Daemon", "DiskJournal", "EventLines", "EventLog", "GlimpseClient",
                "Installation", "JSONLines", "LaneSettings", "MetricsText", "ModelCatalog", "ModelStore",
                "Observations", "Pipelines", "Settings", "SocketAddresses", "Tapes", "TerminalText", "Workers",
                arguments,
                logging,
            ],
            swiftSettings: strict),
        // The parts of `glimpsed-relay`.
        module(
            "Relay",
            [
                "CMosquitto", "CProcess", "GlimpseClient", "HTTPClient", "JSONLines", "Observations", "SHA2",
                "Settings", "UnixSocket",
            ]),
        .executableTarget(
            name: "glimpsed-relay", dependencies: ["COneHeap", "Installation", "Relay", "Settings", arguments],
            swiftSettings: strict),
        // The parts of `glimpsed-web`.
        module(
            "Web",
            [
                "EventLog", "GlimpseClient", "Installation", "JSONLines", "LogSupport", "Observations", "MetricsText",
                "ServiceManager", "Settings",
                "UnixSocket", logging,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ] + nio),
        .executableTarget(
            name: "glimpsed-web",
            dependencies: ["COneHeap", "Installation", "LogSupport", "Settings", "Web", arguments],
            swiftSettings: strict),
        tests("GlimpseTests", ["Glimpse"]),
        tests(
            "RelayTests",
            [
                "CMosquitto", "EventLines", "GlimpseClient", "Relay", "ScriptedWorker", "Settings", "glimpsed",
                "glimpsed-relay",
            ]),
        tests(
            "WebTests", ["Settings", "Web", "glimpsed", "glimpsed-web", "glimpsed-worker"], exclude: ["Browser"]),
        tests("GlimpseVisionTests", ["GlimpseVision", "LaneSettings", "Settings"]),
        tests(
            "GlimpseClientTests",
            [
                "Conformance", "EventLines", "GlimpseClient", "JSONLines", "Pipelines", "Search", "SocketAddresses",
            ]),
        tests("WorkerTests", ["glimpsed-worker"]),
        tests("ManualTests", ["glimpsed", "glimpsed-worker"]),
        tests("EndToEndTests", ["glimpsed", "glimpsed-worker"]),
    ])

/// Helpers that tests share.
let testing = floor(
    "Testing",
    [
        module(
            "GlimpseTesting",
            [
                "Conformance", "Detectors", "EventLines", "Frames", "Observations", "Pipelines", "Search",
                "SocketAddresses", "Tracking",
            ]),
        .executableTarget(
            name: "ScriptedWorker", dependencies: ["CProcess", "GlimpseTesting", "Observations", "WorkerChannel"],
            path: "Tests/Testing/ScriptedWorker", swiftSettings: strict),
        .target(name: "CHeap", path: "Tests/Testing/CHeap"),
        .target(name: "CFakeDecoder", dependencies: ["CGStreamer"], path: "Tests/Testing/CFakeDecoder"),
        .executableTarget(
            name: "DecoderProbe", dependencies: ["CFakeDecoder", "Frames", "GStreamerSource", "Settings"],
            path: "Tests/Testing/DecoderProbe", swiftSettings: strict),
        fuzzing(
            "GuidedFuzzTests",
            [
                "BinaryFormat", "CZXing", "Clips", "ControlSocket", "EventLines", "EventLog", "ExternalDetectors",
                "FragmentedVideo", "Frames", "GStreamerSource", "GlimpseClient", "LogSupport", "PictureStorage",
                "Relay",
                "Search", "Settings", "Tapes", "Web", "WorkerChannel",
            ] + nio),
        // Tries the actions that the sandbox must refuse.
        .target(name: "CForbidden", path: "Tests/Testing/CForbidden"),
        .executableTarget(
            name: "SandboxProbe", dependencies: ["CForbidden", "Installation", "Sandbox", "Settings"],
            path: "Tests/Testing/SandboxProbe", swiftSettings: strict),
    ])

/// Measures the cost of the networks, which `Benchmarks` cannot reach from outside.
let measuring: [Target] = [
    // Counts the heap's calls by standing before them.
    .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
    .executableTarget(
        name: "inference-bench",
        dependencies: [
            "CAllocations", "Detectors", "ExternalDetectors", "Frames", "GStreamerSource", "Inference", "ModelCatalog",
            "Observations", "ProgramHost", "SearchEngines", "Settings", arguments,
        ],
        path: "Benchmarks/Inference", swiftSettings: strict),
]

let package = Package(
    name: "Glimpse",
    products: [
        .executable(name: "glimpsed", targets: ["glimpsed"]),
        .executable(name: "glimpsed-worker", targets: ["glimpsed-worker"]),
        .executable(name: "glimpsed-relay", targets: ["glimpsed-relay"]),
        .executable(name: "glimpsed-web", targets: ["glimpsed-web"]),
        .library(name: "Glimpse", targets: ["Glimpse"]),
        .library(name: "GlimpseVision", targets: ["GlimpseVision"]),
        .library(name: "GlimpseClient", targets: ["GlimpseClient"]),
        .library(name: "CAllocations", targets: ["CAllocations"]),
        .library(name: "GlimpseCascade", type: .dynamic, targets: ["CascadePlugin"]),
        .library(name: "GlimpseMotion", type: .dynamic, targets: ["MotionPlugin"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"),
    ],
    targets: libraries + foundation + configuration + media + vision + tracking + events + pipeline + delivery
        + supervision + products + testing + measuring,
    cxxLanguageStandard: .cxx17
)
