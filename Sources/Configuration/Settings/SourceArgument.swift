// SPDX-License-Identifier: Apache-2.0
/// The meaning of `--source PATH-OR-URI`.
///
/// | argument | kind |
/// |---|---|
/// | `rtsp://`, `rtsps://` | rtsp |
/// | `file://`, a path | file; images if it is a folder, a picture, or a glob of no file's name |
/// | `/dev/video*`, `/dev/v4l/*`, another character device | v4l2 |
/// | `test:`, `test:PATTERN` | test |
/// | any other `scheme://` | launch, by `uridecodebin` |
package struct SourceArgument {
    static let name = "--source"
    /// As the `[source]` table of a file would have them.
    let table: [String: TOMLNode]

    /// The `[source]` table of a pipeline's file, for a file that a program writes.
    package static func sourceTable(_ argument: String) throws(ConfigurationError) -> String {
        let keys = try SourceArgument(argument).table.sorted { $0.key < $1.key }
        return "[source]\n" + keys.map { "\($0.key) = \($0.value.toml)\n" }.joined()
    }

    /// Suffixes of files that GStreamer reads as one picture. A `.gif` is a video: it moves.
    static let pictureSuffixes: Set<String> = [
        "png", "jpg", "jpeg", "webp", "bmp", "tif", "tiff", "ppm", "pgm", "pbm",
    ]

    /// Looks at the disk for what kind of thing a path is.
    init(
        _ argument: String, kindOfPath: (String) -> BoundedFile.Kind = BoundedFile.kind
    ) throws(ConfigurationError) {
        guard !argument.isEmpty, !argument.utf8.contains(0) else { throw Self.error("nothing is given") }
        if let rest = argument.firstRange(of: "://").map({ argument[$0.upperBound...] }) {
            let scheme = argument.prefix { $0 != ":" }.lowercased()
            let isScheme =
                scheme.first?.isLetter == true
                && scheme.utf8.allSatisfy { Unicode.Scalar($0).isASCII && ($0 != UInt8(ascii: "/")) }
            if isScheme {
                table = try Self.table(scheme: scheme, rest: rest, argument: argument, kindOfPath: kindOfPath)
                return
            }
        }
        if argument.hasPrefix("test:") {
            let pattern = argument.dropFirst("test:".count)
            table = ["kind": .string("test"), "pattern": .string(pattern.isEmpty ? "scene" : String(pattern))]
            return
        }
        table = Self.table(path: argument, kindOfPath: kindOfPath)
    }

    private static func table(
        scheme: String, rest: Substring, argument: String, kindOfPath: (String) -> BoundedFile.Kind
    ) throws(ConfigurationError) -> [String: TOMLNode] {
        if scheme == "file" {
            let path = rest.hasPrefix("localhost/") ? rest.dropFirst("localhost".count) : rest
            guard path.hasPrefix("/"), let path = percentDecoded(path) else {
                throw error("a file address must be file:///PATH")
            }
            return table(path: path, kindOfPath: kindOfPath)
        }
        guard !hasUserInfo(rest) else {
            throw error(
                "the address must not have a user or a password in it: every process here can read arguments",
                suggestion: "write a pipeline file with user and password_file")
        }
        if scheme == "rtsp" || scheme == "rtsps" {
            return ["kind": .string("rtsp"), "url": .string(argument)]
        }
        guard !rest.isEmpty, !argument.unicodeScalars.contains(where: isUnsafeInAddress) else {
            throw error("the address has invalid characters", suggestion: "write them as %20 and so on")
        }
        // Sound is not decoded; quotes keep `!` and `;` of the address from being GStreamer's.
        return [
            "kind": .string("launch"),
            "launch": .string("uridecodebin uri=\"\(argument)\" caps=\"video/x-raw(ANY)\" expose-all-streams=false"),
        ]
    }

    private static func table(path: String, kindOfPath: (String) -> BoundedFile.Kind) -> [String: TOMLNode] {
        if path.hasPrefix("/dev/video") || path.hasPrefix("/dev/v4l/") {
            return ["kind": .string("v4l2"), "device": .string(path)]
        }
        let isPicture = pictureSuffixes.contains(FilePath.suffix(of: path))
        let isGlob = path.contains { "*?[".contains($0) }
        switch kindOfPath(path) {
        case .device where path.hasPrefix("/"): return ["kind": .string("v4l2"), "device": .string(path)]
        case .folder: return ["kind": .string("images"), "path": .string(path)]
        case .absent where isGlob: return ["kind": .string("images"), "path": .string(path)]
        default: return ["kind": .string(isPicture ? "images" : "file"), "path": .string(path)]
        }
    }

    private static func isUnsafeInAddress(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control || scalar == "\""
            || scalar == "\\"
    }

    private static func percentDecoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, !digits.contains(where: { !$0.isHexDigit }),
                    let decoded = UInt8(digits, radix: 16), decoded != 0
                else { return nil }
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func error(_ problem: String, suggestion: String? = nil) -> ConfigurationError {
        ConfigurationError(file: name, key: "source", problem: problem, suggestion: suggestion)
    }
}

extension SourceSettings {
    /// The obvious source of `--source PATH-OR-URI`; looks at the disk for what a path is, not whether it is there.
    package static func from(argument: String) throws(ConfigurationErrors) -> SourceSettings {
        try PipelineSettings.parse("", source: argument).source
    }
}
