// SPDX-License-Identifier: Apache-2.0
/// A pipeline's live search: what a lane needs to have a session.
public struct SearchPlan: Sendable, Equatable {
    /// The pipeline's name.
    public var pipeline: String
    public var configuration: SearchConfiguration

    public init(pipeline: String, configuration: SearchConfiguration) {
        self.pipeline = pipeline
        self.configuration = configuration
    }
}
