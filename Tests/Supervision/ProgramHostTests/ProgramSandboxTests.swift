// SPDX-License-Identifier: Apache-2.0
import Detectors
import Foundation
import GlimpseTesting
import ProgramHost
import Sandbox
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// The rights of a program beside its detecting.
@Suite struct ProgramSandboxTests {
    private static let probes = """
        def tried(action):
            try: action()
            except OSError as error: return error.errno
            return 0
        """

    private func attributes(_ probes: String, network: Bool = false) throws -> String {
        let program = try TestProgram(
            "return reply(frame, [{\"box\": [0, 0, 4, 4], \"attributes\": {\(probes)}}])", start: Self.probes,
            network: network)
        return try program.detector().detect(in: FramePainter().frame(1, seconds: 0)).first?.attributes ?? ""
    }

    @Test func nobodyButTheWorkerWritesFrames() throws {
        let text = try attributes(
            """
            "map": tried(lambda: mmap.mmap(3, 4096, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)),
            "write": tried(lambda: os.write(3, b"x")), "cut": tried(lambda: os.ftruncate(3, 0))
            """)
        #expect(text == #"{"cut":1,"map":1,"write":1}"#)
    }

    @Test(.enabled(if: SandboxSupport.ofThisKernel.filters)) func aProgramStartsNoProcessAndOpensNoSocket() throws {
        let text = try attributes(
            """
            "fork": tried(os.fork), "inet": tried(lambda: socket.socket()),
            "unix": tried(lambda: socket.socket(socket.AF_UNIX))
            """)
        #expect(text == #"{"fork":1,"inet":1,"unix":1}"#)
    }

    @Test(.enabled(if: SandboxSupport.ofThisKernel.landlock >= 6)) func aProgramSignalsNoOtherProcess() throws {
        #expect(try attributes(#""parent": tried(lambda: os.kill(os.getppid(), 9))"#) == #"{"parent":1}"#)
    }

    @Test(.enabled(if: SandboxSupport.ofThisKernel.filters)) func aProgramWithANetworkOpensInternetSocketsOnly() throws
    {
        let text = try attributes(
            """
            "inet": tried(lambda: socket.socket()), "unix": tried(lambda: socket.socket(socket.AF_UNIX))
            """, network: true)
        #expect(text == #"{"inet":0,"unix":1}"#)
    }

    @Test(.enabled(if: SandboxSupport.ofThisKernel.landlock > 0))
    func aProgramReadsItsOwnFilesAndWritesIntoItsFolder() throws {
        let scope = TestScope()
        let other = scope.write("other", "secret")
        let text = try attributes(
            """
            "passwd": tried(lambda: open("/etc/passwd")), "other": tried(lambda: open("\(other)")),
            "parent": tried(lambda: open("/proc/%d/environ" % os.getppid())),
            "own": tried(lambda: open(sys.argv[0])), "beside": tried(lambda: os.listdir(os.path.dirname(sys.argv[0]))),
            "folder": tried(lambda: open("x", "w").write("x")), "tmp": tried(lambda: open("/tmp/x-glimpse", "w")),
            "home": os.environ["HOME"] == os.environ["TMPDIR"] == os.getcwd()
            """)
        #expect(
            text
                == #"{"beside":13,"folder":0,"home":true,"other":13,"own":0,"parent":13,"passwd":13,"tmp":13}"#)
    }

    @Test func nothingIsLeftOfAThousandPrograms() throws {
        // The host makes the programs' folders here.
        let scope = TestScope()
        setenv("TMPDIR", scope.folder, 1)
        let host = try ProgramHost(command: ["cat"])
        unsetenv("TMPDIR")
        let (input, output) = (open("/dev/null", O_RDONLY | O_CLOEXEC), open("/dev/null", O_WRONLY | O_CLOEXEC))
        defer {
            close(input)
            close(output)
        }
        for _ in 0..<20 { try host.start(input: input, output: output, ring: input) }
        let before = try #require(ProcessFootprint(of: getpid()))
        for number in 0..<1000 {
            try host.start(input: input, output: output, ring: input)
            if number % 3 == 0 { _ = host.end() }
        }
        _ = host.end()
        let after = try #require(ProcessFootprint(of: getpid()))
        #expect(after.descriptors == before.descriptors && after.zombies == before.zombies)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scope.folder).isEmpty)
    }
}
