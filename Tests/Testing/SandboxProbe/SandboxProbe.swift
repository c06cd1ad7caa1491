import CForbidden
import Glibc
import Installation
import Sandbox
import Settings

/// SandboxProbe PIPELINE.toml OUTSIDE INSIDE [free]: enters the sandbox that the pipeline's worker would, with the
/// folder INSIDE as its own, and tries what is forbidden: a line `NAME ERRNO` for each attempt. With `free` it stays
/// out of it.
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
