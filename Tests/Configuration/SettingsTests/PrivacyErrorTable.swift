// SPDX-License-Identifier: Apache-2.0
// Long lines, because a row is a text and its exact message.
// swift-format-ignore-file

extension PipelineErrorTests {
    /// Errors of the tables `[[mask]]` and `[privacy]`.
    static let privacyRows: [(text: String, message: String)] = [
        (#"mask = "desk""#,
         "p.toml:2: mask must be tables, not a string; write [[mask]]"),
        (#"[[mask]]|polygon = [[0, 0], [1, 0], [1, 1]]"#,
         #"p.toml:2: [mask.0] name is missing; such as name = "street""#),
        (#"[[mask]]|name = "a"|polygon = [[0, 0], [1, 0], [1, 1]]|[[mask]]|name = "a"|polygon = [[0, 0], [1, 0], [1, 1]]"#,
         #"p.toml:6: [mask.1] name "a" is another mask's too"#),
        (#"[face]|[privacy]|blur = ["barcode"]"#,
         #"p.toml:4: [privacy] blur: no detector gives "barcode"; add a [barcode] table"#),
        (#"[face]|[privacy]|blur = ["person"]"#,
         #"p.toml:4: [privacy] blur: no detector gives "person"; add [object] with classify = true, or name a kind"#),
        (#"[face]|enabled = false|[privacy]|blur = ["face"]"#,
         #"p.toml:5: [privacy] blur: no detector gives "face"; add a [face] table"#),
        (#"[object]|[privacy]|blur = ["person"]"#,
         #"p.toml:4: [privacy] blur: labels need classify; set classify = true in [object]"#),
        (#"[object]|classify = true|labels = ["car"]|[privacy]|blur = ["person"]"#,
         #"p.toml:6: [privacy] blur: object.labels leaves out "person"; add it to labels"#),
        (#"[face]|roi = [0.0, 0.0, 0.5, 0.5]|[privacy]|blur = ["face"]"#,
         #"p.toml:5: [privacy] blur: face.roi hides features outside from it; remove roi; [[mask]] paints over parts"#),
        (#"[scene]|[privacy]|blur = ["scene"]"#,
         #"p.toml:4: [privacy] blur: a scene cannot be covered, because its labels belong to the whole picture; name face, barcode or object"#),
        (#"[face]|[privacy]|style = "smear""#,
         #"p.toml:4: [privacy] style must be one of "pixelate", "fill", not "smear""#),
    ]
}
