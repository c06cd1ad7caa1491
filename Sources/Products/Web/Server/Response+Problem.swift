// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import HTTPTypes
import Hummingbird
import JSONLines

extension Response {
    /// An error for programs and people: `{"error": TEXT}`.
    static func problem(_ status: HTTPResponse.Status, _ text: String) -> Response {
        var json = JSONWriter()
        json.object { $0.member("error", text) }
        return .json(json.bytes, status)
    }

    static func json(_ bytes: [UInt8], _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// - Parameter problem: of a command about no pipeline.
    static func problem(_ problem: ControlClient.Problem) -> Response {
        switch problem {
        case .absent(let reason): .problem(.serviceUnavailable, "the daemon cannot be reached: \(reason)")
        case .refused(let reason): .problem(.conflict, reason)
        }
    }
}
