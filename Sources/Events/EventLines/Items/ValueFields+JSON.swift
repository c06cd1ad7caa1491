// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import JSONLines

extension ValueFields {
    /// Writes the fields as members of an object.
    func encode(to json: inout JSONWriter) {
        for field in fields {
            switch field.content {
            case .text(let text): json.member(dynamicKey: field.name, text)
            case .integer(let value): json.member(dynamicKey: field.name, value)
            case .number(let value): json.member(dynamicKey: field.name, value)
            case .flag(let value): json.member(dynamicKey: field.name, value)
            case .object(let object): json.object(dynamicKey: field.name) { object.encode(to: &$0) }
            case .texts(let texts):
                json.array(dynamicKey: field.name) { json in
                    for text in texts { json.element(text) }
                }
            case .objects(let objects):
                json.array(dynamicKey: field.name) { json in
                    for object in objects { json.object { object.encode(to: &$0) } }
                }
            }
        }
    }
}
