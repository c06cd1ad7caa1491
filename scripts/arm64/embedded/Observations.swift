// SPDX-License-Identifier: Apache-2.0
// The module Observations uses these, and Embedded Swift lacks them (tracks.sh).

public protocol Encodable {}
public protocol Decodable {}
public typealias Codable = Decodable & Encodable
public protocol CodingKey {}

/// The properties of the module's own type, whose attributes Foundation checks.
public struct CustomFeature: Sendable, Equatable, Codable {
    public let kind: FeatureKind
    public let value: String?
    public let attributes: String
    public let corners: Quadrilateral?
}
