// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

/// `glimpsed detector-test`, through the built executables.
@Suite struct DetectorTestCommandTests {
    private let scope = TestScope()

    private func test(_ arguments: [String] = [], program: String) -> ProgramResult {
        let file = scope.write("detector.py", program)
        return Program.run(Program.built("glimpsed"), ["detector-test"] + arguments + ["python3", file])
    }

    /// A program on the module for Python: a detection of the brightest row.
    private static let good = """
        import glimpse_detector
        def detect(frame):
            assert len(frame.row(frame.height - 1)) in (frame.width, 3 * frame.width)
            return [glimpse_detector.Detection((0, 0, frame.width, 1), max(frame.row(0)) / 255)]
        glimpse_detector.run(detect, name="rows", model="m")
        """

    @Test func aGoodProgramPassesInEveryFormat() {
        let result = test(program: Self.good)
        #expect(result.status == 0, "\(result)")
        let starts = result.lines.map { $0.split(separator: ",").first.map(String.init) }
        #expect(starts == ["ok  gray8: 18 answers", "ok  nv12: 18 answers", "ok  rgb24: 18 answers"], "\(result)")
    }

    @Test func aProgramThatHangsAtTheEndIsWrong() {
        let result = test(
            ["--format", "gray8", "--timeout", "1"],
            program: Self.good + "\nimport time\ntime.sleep(3600)\n")
        #expect(result.status == 1)
        #expect(
            result.lines == ["WRONG  gray8 at the end of its input: it does not end"], "\(result)")
    }

    @Test func aDetectionOutsideOfSomePicturesIsNamedWithThem() {
        let result = test(
            ["--format", "nv12"], program: Self.good.replacing("(0, 0, frame.width, 1)", with: "(300, 0, 50, 1)"))
        #expect(result.status == 1)
        #expect(
            result.lines
                == ["black", "white", "noise"].map {
                    "WRONG  nv12 2x2 \($0): its answer has a box outside of the picture: [300.0, 0.0, 50.0, 1.0]"
                }, "\(result)")
    }

    @Test func aProgramThatIsNotThereIsNamed() {
        let result = Program.run(Program.built("glimpsed"), ["detector-test", "no-such-program"])
        #expect(result.status == 1)
        #expect(
            result.lines.first
                == "WRONG  gray8 640x360 black: cannot start the program: no-such-program: No such file or directory",
            "\(result)")
    }

    @Test(arguments: ["--help", "-h"]) func helpHasExamples(_ option: String) {
        let result = Program.run(Program.built("glimpsed"), ["detector-test", option])
        #expect(result.status == 0, "\(result)")
        #expect(result.lines.contains("  glimpsed detector-test python3 ./plates.py"), "\(result)")
    }

    @Test func anUnknownOptionIsNoProgram() {
        let result = Program.run(Program.built("glimpsed"), ["detector-test", "--colour", "gray8", "cat"])
        #expect(result.status == 64 && result.errors.contains("unknown option --colour"), "\(result)")
    }

    @Test func aFileOfThisFolderNeedsItsDots() {
        scope.write("detector.py", Self.good)
        let command = "cd \(scope.folder) && \(Program.built("glimpsed")) detector-test python3 detector.py"
        let result = Program.run("/bin/sh", ["-c", command])
        #expect(result.status == 64, "\(result)")
        #expect(result.errors.contains("detector.py is in this folder: write ./detector.py"), "\(result)")
    }
}
