// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import GlimpseVision
import Testing

/// Programs of other packages that depend on `GlimpseVision`, built and run.
@Suite(.serialized, .enabled(if: SharedData.has("media/video/head-pose-face-detection-female.gif")))
struct OutsideBuildTests {
    private static let film = SharedData.path("media/video/head-pose-face-detection-female.gif")
    /// A build of every module below `GlimpseVision` took 90 s on two cores.
    private static let buildLimit = Duration.seconds(1800)

    private let scope = TestScope()

    /// The commands of docs/embedding.md that the page marks with `run=outside`.
    private func documentedCommands() throws -> [String] {
        let page = String(decoding: try TestFile.read("\(Checkout.root)/docs/embedding.md"), as: UTF8.self)
        let blocks = page.split(separator: "```sh run=outside\n").dropFirst()
        return blocks.flatMap { $0.split(separator: "```")[0].split(separator: "\n").map(String.init) }
    }

    private func shell(_ command: String, in folder: String) {
        let result = Program.run("/bin/sh", ["-c", "cd \(folder) && \(command)"], within: Self.buildLimit)
        #expect(result.status == 0, "\(String(decoding: result.output.suffix(3000), as: UTF8.self)) \(result.errors)")
    }

    /// Builds a package in a folder that stays, so that a later test run compiles changed files only.
    ///
    /// - Returns: the folder of the executables.
    private func build(_ package: String, scratch: String, command: String = "swift build") -> String {
        let folder = "\(Checkout.root)/.build/\(scratch)"
        shell("\(command) --scratch-path \(folder)", in: package)
        return "\(folder)/debug"
    }

    private func expectsOneFace(_ program: String) {
        let result = Program.run(program, [Self.film])
        #expect(result.status == 0 && result.lines == ["hello 1 face", "bye 1"], "\(result)")
    }

    @Test func aPackageThatDependsByPathFindsTheFaceOfAFilm() {
        let programs = build("\(Checkout.root)/examples/swift-trackers", scratch: "examples")
        expectsOneFace("\(programs)/swift-trackers")
    }

    /// The repository holds the checkout's files as they are now. The second build has the same files and compiles
    /// nothing.
    @Test func aPackageThatDependsByBranchOrVersionFindsTheFaceOfAFilm() throws {
        let repository = scope.path("Glimpse.git")
        func git(_ arguments: String...) {
            let result = Program.run("git", ["--git-dir", repository, "--work-tree", Checkout.root] + arguments)
            #expect(result.status == 0, "git \(arguments): \(result)")
        }
        git("init", "--quiet", "--initial-branch", "main")
        git("add", "--all")
        git(
            "-c", "user.name=Test", "-c", "user.email=test@example.org", "commit", "--quiet", "--message",
            "The files of the checkout")
        git("tag", "1.0.0")
        let example = "\(Checkout.root)/examples/swift-trackers"
        let command = try #require(documentedCommands().first)
        #expect(command.contains("GLIMPSE_DEPS=/path/to/checkout/.deps "))
        scope.write(
            "trackers/Sources/trackers/main.swift",
            bytes: try TestFile.read("\(example)/Sources/swift-trackers/main.swift"))
        for place in ["branch: \"main\"", "from: \"1.0.0\""] {
            scope.write(
                "trackers/Package.swift",
                """
                // swift-tools-version: 6.2
                import PackageDescription

                let package = Package(
                    name: "trackers",
                    dependencies: [.package(url: "file://\(repository)", \(place))],
                    targets: [
                        .executableTarget(
                            name: "trackers", dependencies: [.product(name: "GlimpseVision", package: "Glimpse")])
                    ]
                )
                """)
            let programs = build(
                scope.path("trackers"), scratch: "by-branch",
                command: command.replacing("/path/to/checkout", with: Checkout.root))
            expectsOneFace("\(programs)/trackers")
        }
    }

    /// The film begins with a profile, in which no face is found. It ends with a frontal face, on which eyes are drawn.
    @Test func googlyEyesChangeTheFaceAndNothingElse() throws {
        let commands = try documentedCommands()
        #expect(commands.count == 3)
        shell(commands[1].replacing("make ", with: "make --old-file setup "), in: Checkout.root)
        let output = scope.path("eyes.mp4")
        shell(
            "ln -s \(Checkout.root)/.build . && ln -s \(Self.film) clip.mp4 && \(commands[2])", in: scope.folder)
        let (before, after) = (try frames(Self.film), try frames(output))
        let (first, last) = (try #require(after.first), try #require(after.last))
        #expect(changes(try #require(before.first), first) == nil)
        let original = try #require(before.last)
        let box = try #require(changes(original, last))
        // The two eyes are side by side on the face, which is a fifth of the picture's width.
        #expect(box.width > box.height * 1.5 && box.width < Float(last.width) / 4, "\(box)")
        #expect(abs(last.info.seconds - original.info.seconds) < 0.2)
    }

    private func frames(_ path: String) throws -> [Frame] {
        let source = try VideoSource.file(path).makeSource()
        try source.start()
        defer { source.stop() }
        var frames: [Frame] = []
        while true {
            switch source.next(timeout: .seconds(1)) {
            case .frame(let frame): frames.append(frame)
            case .nothing: continue
            case .ended: return frames
            case .failed(let error): throw error
            }
        }
    }

    /// The box around the luma that differs by more than a codec's error; nil: no difference.
    private func changes(_ before: Frame, _ after: Frame) -> Box? {
        var points: [Point] = []
        for y in 0..<min(before.height, after.height) {
            for x in 0..<min(before.width, after.width) {
                let (old, new) = (
                    before.luma.base[y * before.luma.stride + x], after.luma.base[y * after.luma.stride + x]
                )
                if abs(Int(old) - Int(new)) > 70 { points.append(Point(x: Float(x), y: Float(y))) }
            }
        }
        return Box(around: points)
    }
}
