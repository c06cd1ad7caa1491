// SPDX-License-Identifier: Apache-2.0
import Frames
import Installation
import Settings

extension PasswordSource {
    /// The password. It is read as late as possible, and is never part of an error.
    ///
    /// - Parameters:
    ///   - noun: the kind of secret, for messages.
    ///   - owner: the owner of the secret, for messages.
    package func password(
        _ noun: String = "password", of owner: String = "the camera",
        environment: (String) -> String? = ResourceFolders.variable
    ) throws(SourceError) -> String {
        do throws(PasswordProblem) {
            return try read(noun, of: owner, environment: environment)
        } catch {
            throw SourceError(.init(error.kind), error.description)
        }
    }
}

extension SourceError.Kind {
    fileprivate init(_ kind: PasswordProblem.Kind) {
        switch kind {
        case .missing: self = .missing
        case .forbidden: self = .forbidden
        case .unreadable: self = .unreadable
        }
    }
}
