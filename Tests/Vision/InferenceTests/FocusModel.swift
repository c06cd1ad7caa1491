// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import ModelCatalog

/// A model file that gives every other row and column of its input as channels, as the first layers of YOLOX do.
struct FocusModel {
    let path: String

    /// - Parameters:
    ///   - input: three channels, before rows and columns; even numbers of both.
    ///   - parts: the first row and column of each part.
    init(in scope: TestScope, _ input: ModelInput, parts: [(row: Int, column: Int)]) {
        var (layers, edges): ([String], [String]) = ([], [])
        func port(_ id: Int, _ shape: [Int], _ precision: String = "FP32") -> String {
            "<port id=\"\(id)\" precision=\"\(precision)\">\(shape.map { "<dim>\($0)</dim>" }.joined())</port>"
        }
        func layer(_ id: Int, _ type: String, _ opset: Int, _ data: String, inputs: [Int], output: String) {
            layers.append(
                "<layer id=\"\(id)\" name=\"\(type)-\(id)\" type=\"\(type)\" version=\"opset\(opset)\">"
                    + (data.isEmpty ? "" : "<data \(data)/>")
                    + (inputs.isEmpty ? "" : "<input>\(inputs.indices.map { port($0, []) }.joined())</input>")
                    + (output.isEmpty ? "" : "<output>\(output)</output>") + "</layer>")
            for (place, from) in inputs.enumerated() {
                edges.append(
                    "<edge from-layer=\"\(from)\" from-port=\"9\" to-layer=\"\(id)\" to-port=\"\(place)\"/>")
            }
        }
        let whole = [1, 3, input.height, input.width]
        let shape = whole.map(String.init).joined(separator: ",")
        layer(0, "Parameter", 1, "shape=\"\(shape)\" element_type=\"f32\"", inputs: [], output: port(9, whole))
        // The constants 0 to 3, and the stop of every slice.
        let stop = 4
        for number in 0...stop {
            layer(
                1 + number, "Const", 1, "element_type=\"i64\" shape=\"1\" offset=\"\(8 * number)\" size=\"8\"",
                inputs: [], output: port(9, [1], "I64"))
        }
        func slice(_ id: Int, of from: Int, start: Int, axis: Int, _ shape: [Int]) {
            layer(id, "Slice", 8, "", inputs: [from, 1 + start, 1 + stop, 1 + 2, 1 + axis], output: port(9, shape))
        }
        let halves = [1, 3, input.height / 2, input.width / 2]
        for (index, part) in parts.enumerated() {
            slice(10 + index, of: 0, start: part.row, axis: 2, [1, 3, input.height / 2, input.width])
            slice(20 + index, of: 10 + index, start: part.column, axis: 3, halves)
        }
        layer(
            30, "Concat", 1, "axis=\"1\"", inputs: parts.indices.map { 20 + $0 },
            output: port(9, [1, 3 * parts.count, input.height / 2, input.width / 2]))
        layer(31, "Result", 1, "", inputs: [30], output: "")
        path = scope.write(
            "focus.xml",
            "<?xml version=\"1.0\"?><net name=\"focus\" version=\"11\"><layers>\(layers.joined())</layers>"
                + "<edges>\(edges.joined())</edges></net>")
        let constants = [0, 1, 2, 3, Int64.max].flatMap { value in
            (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
        }
        scope.write("focus.bin", bytes: constants)
    }
}
