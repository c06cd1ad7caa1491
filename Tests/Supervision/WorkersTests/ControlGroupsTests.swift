// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

@testable import Workers

/// A folder stands for the cgroup v2 file system. The test checks the written files, and uses the kernel's own cgroups
/// if systemd delegates a group.
@Suite struct ControlGroupsTests {
    private let scope = TestScope()

    private func groups(_ memberships: String, controllers: String = "cpu memory pids\n") throws -> ControlGroups {
        scope.write("system.slice/glimpsed.service/cgroup.controllers", controllers)
        scope.write("system.slice/glimpsed.service/cgroup.procs", "1\n\(getpid())\n")
        return try ControlGroups(root: scope.folder, memberships: memberships)
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try TestFile.read(scope.path("system.slice/glimpsed.service/\(path)")), as: UTF8.self)
    }

    @Test(arguments: ["", "/supervisor"]) func eachWorkerHasItsOwnControlGroup(inner: String) throws {
        let groups = try groups("12:cpu:/old\n0::/system.slice/glimpsed.service\(inner)\n")
        #expect(try text("supervisor/cgroup.procs") == "\(getpid())")
        #expect(try text("cgroup.subtree_control") == "+cpu")
        var resources = WorkerResources()
        (resources.cpuWeight, resources.cpuLimit) = (50, 1.5)
        try groups.enter(4711, pipeline: "door", resources)
        #expect(try text("worker-door/cpu.weight") == "50")
        #expect(try text("worker-door/cpu.max") == "150000 100000")
        #expect(try text("worker-door/cgroup.procs") == "4711")
        (resources.cpuWeight, resources.cpuLimit) = (nil, nil)
        try groups.enter(4712, pipeline: "porch", resources)
        #expect(try text("worker-porch/cpu.weight.nice") == "0" && text("worker-porch/cpu.max") == "max 100000")
        resources.nice = 7
        try groups.enter(4713, pipeline: "yard", resources)
        #expect(try text("worker-yard/cpu.weight.nice") == "7")
    }

    @Test func missingControlGroupsHaveAReason() {
        let path = "\(scope.folder)/system.slice/glimpsed.service"
        #expect(throws: ControlGroups.Unavailable(description: "this system has no cgroup v2")) {
            try groups("12:cpu:/old\n")
        }
        #expect(throws: ControlGroups.Unavailable(description: "\(path) has no cpu controller")) {
            try groups("0::/system.slice/glimpsed.service\n", controllers: "memory\n")
        }
        #expect(
            throws: ControlGroups.Unavailable(
                description: "\(scope.folder)/gone/cgroup.controllers: No such file or directory")
        ) {
            try groups("0::/gone\n")
        }
    }
}
