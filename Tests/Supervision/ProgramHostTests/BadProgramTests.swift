// SPDX-License-Identifier: Apache-2.0
import Detectors
import ExternalDetectors
import GlimpseTesting
import ProgramHost
import Settings
import Testing

/// Each fault of a program has one clear error.
@Suite struct BadProgramTests {
    @Test(arguments: [
        ("sys.exit(3)", "the program ended: exit status 3"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "the program ended: signal 11"),
        ("sys.stdout.write('{\"frame\":'); sys.stdout.flush(); os._exit(0)", "the program ended: exit status 0"),
        ("return 'no JSON\\n'", "its answer is no JSON object: no JSON"),
        ("return '[1]\\n'", "its answer has a wrong form, such as another type: [1]"),
        ("return '{\"frame\":1}\\n'", "its answer has no detections: {\"frame\":1}"),
        (
            "return '{\"frame\":1,\"detections\":[{\"box\":7}]}\\n'",
            "its answer has a wrong box, such as another type: {\"frame\":1,\"detections\":[{\"box\":7}]}"
        ),
        (
            "return '{\"frame\":1,\"detections\":[{\"box\":[NaN,0,1,1]}]}\\n'",
            "its answer is no JSON object: {\"frame\":1,\"detections\":[{\"box\":[NaN,0,1,1]}]}"
        ),
        ("frame['frame'] = 7\nreturn reply(frame, [])", "its answer is for frame 7, not for frame 1"),
        ("return 'x' * 1100000 + '\\n'", "it wrote a line of more than 1048576 bytes"),
        ("return 'x' * 9000000", "it wrote a line of more than 1048576 bytes"),
    ])
    func aProgramThatBreaksTheProtocolIsEnded(body: String, message: String) throws {
        let failure = try TestProgram(body).failure()
        #expect(failure == DetectorError(message, endsDetector: true))
    }

    @Test(arguments: [
        ("[{\"box\":[0,0,1]}]", "its answer has a box that is not [x, y, width, height]: [0.0, 0.0, 1.0]"),
        ("[{\"box\":[5,5,0,1]}]", "its answer has a box that is not [x, y, width, height]: [5.0, 5.0, 0.0, 1.0]"),
        ("[{\"box\":[100,0,5,5]}]", "its answer has a box outside of the picture: [100.0, 0.0, 5.0, 5.0]"),
        ("[{\"box\":[0,0,1,1],\"confidence\":2}]", "its answer has a confidence outside of 0...1: 2.0"),
        (
            "[{\"box\":[0,0,1,1],\"corners\":[[0,0],[1,1]]}]",
            "its answer has corners that are not four points: [[0.0, 0.0], [1.0, 1.0]]"
        ),
        (
            "[{\"box\":[0,0,1,1],\"attributes\":[1]}]",
            "its answer has wrong attributes: attributes must be a JSON object"
        ),
        (
            "[{\"box\":[0,0,1,1],\"attributes\":{\"a\":\"' + 'x' * 20000 + '\"}}]",
            "its answer has wrong attributes: attributes have 20008 bytes; at most 16384 are valid"
        ),
        (
            "' + json.dumps([{\"box\": [0, 0, 1, 1]}] * 2000) + '",
            "its answer has 2000 detections; at most 1000 are valid"
        ),
    ])
    func aWrongDetectionCostsItsFrameOnly(detections: String, message: String) throws {
        let program = try TestProgram(
            """
            if frame["frame"] == 1: return '{"frame":1,"detections":\(detections)}\\n'
            return reply(frame, [])
            """)
        let detector = try program.detector()
        #expect(throws: DetectorError(message)) { try detector.detect(in: FramePainter().frame(1, seconds: 0)) }
        #expect(try detector.detect(in: FramePainter().frame(2, seconds: 1)).isEmpty)
    }

    @Test func cornersThatScalingMakesInfiniteAreRefused() throws {
        var program = try TestProgram(
            "return reply(frame, [{'box': [0, 0, 1, 1], 'corners': [[3e38, 0], [1, 1], [1, 1], [1, 1]]}])")
        // A quarter of the frame's width.
        program.settings.width = 16
        let detector = try program.detector()
        let points: [[Float]] = [[3e38, 0], [1, 1], [1, 1], [1, 1]]
        #expect(throws: DetectorError("its answer has corners that are too far away: \(points)")) {
            try detector.detect(in: FramePainter().frame(1, seconds: 0))
        }
    }

    @Test func anAnswerTooManyEndsTheProgram() throws {
        let detector = try TestProgram("return reply(frame, []) * 2").detector()
        #expect(try detector.detect(in: FramePainter().frame(1, seconds: 0)).isEmpty)
        #expect(throws: DetectorError("its answer is for frame 1, not for frame 2", endsDetector: true)) {
            try detector.detect(in: FramePainter().frame(2, seconds: 0))
        }
    }

    @Test func aProgramThatHangsIsEndedThoughItIgnoresSIGTERM() throws {
        let program = try TestProgram(
            "time.sleep(3600)", start: "signal.signal(signal.SIGTERM, signal.SIG_IGN)", timeout: .milliseconds(200))
        #expect(try program.failure() == DetectorError("it gave no answer within 0.2 seconds", endsDetector: true))
        #expect(program.host.end() == nil)
    }

    @Test(arguments: [
        ("{\"ready\":false,\"error\":\"no model\"}", "it is not ready: no model"),
        ("hello", "its first line is no greeting: hello"),
        ("\u{1B}[31m", "its first line is no greeting: \u{FFFD}[31m"),
    ])
    func aProgramThatIsNotReadyIsNotOperational(greeting: String, message: String) throws {
        let program = try TestProgram("return ''", greeting: greeting)
        #expect(throws: DetectorError(message, endsDetector: true)) { try program.detector() }
    }

    @Test func aProgramThatExitsAtOnceOrIsNotThereIsNotOperational() throws {
        for (command, message) in [
            (["true"], "the program ended: exit status 0"), (["false"], "the program ended: exit status 1"),
            (["/no/such/program"], "cannot start the program: /no/such/program: No such file or directory"),
            (["no-such-program"], "cannot start the program: no-such-program: No such file or directory"),
        ] {
            var settings = ExternalSettings()
            settings.command = command
            let factory = ExternalDetectorFactory(settings, name: "test", starter: try ProgramHost(command: command))
            #expect(throws: DetectorError(message, endsDetector: true)) { try factory.makeDetector() }
        }
    }

    @Test func answersOfAnyBytesNeverTrap() {
        for seed in Fuzz.seeds(3000) {
            var random = SeededRandom(seed: seed)
            var line = Array(
                #"{"frame":1,"detections":[{"box":[1,2,3,4],"confidence":0.5,"corners":[[0,0],[1,0],[1,1],[0,1]],"attributes":{"value":"a"}}]}"#
                    .utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: 0..<line.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: line[index] = UInt8.random(in: 0...255, using: &random)
                case 1: line.remove(at: index)
                default: line.insert(line[Int.random(in: 0..<line.count, using: &random)], at: index)
                }
            }
            do {
                let answer = try ProgramAnswer(line)
                #expect(answer.detections.allSatisfy { $0.attributes?.hasPrefix("{") ?? true || !$0.box.isEmpty })
            } catch {
                #expect(!error.description.isEmpty && error.description.utf8.count < 400)
            }
        }
    }
}
