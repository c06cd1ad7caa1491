// SPDX-License-Identifier: Apache-2.0
import JSONLines

/// A request line for the control socket.
struct ControlRequestLine {
    /// The line with its newline.
    let bytes: [UInt8]

    /// Writes `{"NAME":{MEMBERS}}`; members without a value are left out.
    init(_ name: String, _ members: KeyValuePairs<String, String?> = [:]) {
        self.init(name) { json in
            for (key, value) in members {
                if let value { json.member(dynamicKey: key, value) }
            }
        }
    }

    init(_ name: String, _ members: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.object { json in json.object(dynamicKey: name, members) }
        bytes = json.bytes + [UInt8(ascii: "\n")]
    }
}
