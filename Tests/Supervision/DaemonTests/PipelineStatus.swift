// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The part of a pipeline's `status` that tests read.
struct PipelineStatus: Decodable {
    struct Source: Decodable {
        var received: UInt64
    }

    var name: String
    var state: String
    var pid: Int32?
    var epoch: UInt64
    var source: Source

    static func all(in reply: String) throws -> [PipelineStatus] {
        struct Reply: Decodable { var pipelines: [PipelineStatus] }
        return try JSONDecoder().decode(Reply.self, from: Data(reply.utf8)).pipelines
    }
}
