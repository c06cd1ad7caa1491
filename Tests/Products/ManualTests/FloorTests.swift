// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

/// `scripts/floors.py` keeps the order of the modules and their table in docs/reference/modules.md.
@Suite struct FloorTests {
    @Test func eachModuleImportsItsOwnFloorAndLowerOnesAndStandsInTheTable() throws {
        #expect(try floors(of: Checkout.root) == "")
    }

    @Test func anImportOfAHigherFloorFails() throws {
        let package = TestScope()
        package.write(
            "Package.swift",
            """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "Wrong",
                targets: [
                    .target(name: "Lower", dependencies: ["Upper"], path: "Sources/Ground/Lower"),
                    .target(name: "Upper", path: "Sources/Roof/Upper"),
                ])
            """)
        package.write("Sources/Ground/Lower/Lower.swift", "")
        package.write("Sources/Roof/Upper/Upper.swift", "")
        package.write(
            "docs/reference/modules.md",
            """
            <!-- modules: written by scripts/floors.py -->
            | `Lower` | a | nothing |
            <!-- end of modules -->
            """)
        package.write("scripts/floors.py", bytes: try TestFile.read("\(Checkout.root)/scripts/floors.py"))
        let complaint = try floors(of: package.folder)
        #expect(complaint.contains("Lower (Ground) imports Upper, which is on a higher floor (Roof)"))
        #expect(complaint.contains("docs/reference/modules.md has no row for Upper"))
    }

    /// The complaints of a checkout's script.
    private func floors(of root: String) throws -> String {
        let result = Program.run("python3", ["\(root)/scripts/floors.py"])
        #expect((result.status == 0) == result.errors.isEmpty)
        return result.errors
    }
}
