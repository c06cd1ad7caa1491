// SPDX-License-Identifier: Apache-2.0
import CForbidden
import Glibc
import Installation
import Sandbox
import Settings

/// SandboxProbe PIPELINE.toml OUTSIDE INSIDE [free]: enters the sandbox of the pipeline's worker, with INSIDE as the
/// worker's folder. Then the program tries forbidden calls and prints a line `NAME ERRNO` for each. With `free` the
/// program does not enter the sandbox.
@main
enum SandboxProbe {
    static func main() throws {
        let arguments = CommandLine.arguments
        let settings = try PipelineSettings.load(file: arguments[1])
        if !arguments.dropFirst(4).contains("free") {
            try Sandbox(settings, resources: .ofThisProcess(), writable: [arguments[3]]).enter()
        }
        arguments[2].withCString { outside in
            arguments[3].withCString { inside in
                var places = forbidden_places(outside: outside, inside: inside)
                for index in 0..<forbidden_count() {
                    print(String(cString: forbidden_name(index)), forbidden_try(index, &places))
                }
            }
        }
    }
}
