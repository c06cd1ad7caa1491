// SPDX-License-Identifier: Apache-2.0
/// Secrets in the text of `launch`: none stands in it, one may be filled in.
enum LaunchPassword {
    /// Where the password is to be, in a property of an element.
    static let placeholder = "{password}"
    static let advice =
        "write rtspsrc location=rtsp://camera/ user-id=NAME user-pw={password}, and one of "
        + PasswordSource.keys(of: "password").joined(separator: ", ")
    /// Properties that hold nothing else.
    static let properties = ["user-pw", "proxy-pw", "password", "passphrase"]

    /// Whether an address in the text has a user before its host.
    static func hasUserInfo(_ text: String) -> Bool {
        text.split(separator: "://", omittingEmptySubsequences: false).dropFirst().contains { rest in
            rest.prefix { !$0.isWhitespace && !"\"'?".contains($0) }.contains("@")
        }
    }

    /// The first property for secrets with something else in it than the placeholder.
    static func openProperty(_ text: String) -> String? {
        properties.first { property in
            text.split(separator: property, omittingEmptySubsequences: false).dropFirst().contains { rest in
                let value = rest.drop(while: \.isWhitespace)
                guard value.first == "=" else { return false }
                return !value.dropFirst().drop { $0.isWhitespace || "\"'\\".contains($0) }.hasPrefix(placeholder)
            }
        }
    }
}

extension ValueFormat<String> {
    /// The text is in no message: it may hold what it should not.
    static var launchText: Self {
        nonEmptyText.checked { text throws(ValueProblem) in
            guard !LaunchPassword.hasUserInfo(text) else {
                throw .init("must not have a user or a password in an address", suggestion: LaunchPassword.advice)
            }
            if let property = LaunchPassword.openProperty(text) {
                throw .init("must not have a password in \(property)", suggestion: LaunchPassword.advice)
            }
        }
    }
}
