/// This program's version, as `--version` and `hello` give it.
enum Version {
    static let text = "0.1.0"
}
