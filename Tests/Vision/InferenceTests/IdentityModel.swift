// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import ModelCatalog

/// A model file whose output is its input. The output shows the graph's preprocessing.
struct IdentityModel {
    let path: String

    /// - Parameter type: OpenVINO's name of the input's type, `f32` or `u8`.
    init(in scope: TestScope, _ input: ModelInput, type: String = "f32") {
        let channels = input.colour == .grey ? 1 : 3
        let shape =
            input.layout == .nchw
            ? [1, channels, input.height, input.width] : [1, input.height, input.width, channels]
        let dimensions = shape.map { "<dim>\($0)</dim>" }.joined()
        let precision = type == "f32" ? "FP32" : "U8"
        let text = """
            <?xml version="1.0"?>
            <net name="identity" version="11">
              <layers>
                <layer id="0" name="input" type="Parameter" version="opset1">
                  <data shape="\(shape.map(String.init).joined(separator: ","))" element_type="\(type)"/>
                  <output><port id="0" precision="\(precision)" names="picture">\(dimensions)</port></output>
                </layer>
                <layer id="1" name="output" type="Result" version="opset1">
                  <input><port id="0" precision="\(precision)">\(dimensions)</port></input>
                </layer>
              </layers>
              <edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges>
            </net>
            """
        path = scope.write("identity.xml", text)
        scope.write("identity.bin", "")
    }
}
