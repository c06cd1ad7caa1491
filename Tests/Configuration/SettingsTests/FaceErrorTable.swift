// SPDX-License-Identifier: Apache-2.0
// Long lines, because a row is a text and its exact message.
// swift-format-ignore-file

extension PipelineErrorTests {
    /// Errors of the table `[face]`.
    static let faceRows: [(text: String, message: String)] = [
        ("[face]|min_size = 1.5",
         "p.toml:3: [face] min_size must be 0 to 1, not 1.5"),
        ("[face]|min_size = nan",
         "p.toml:3: [face] min_size must be 0 to 1, not nan"),
        (#"[face]|confidence = "0.7""#,
         "p.toml:3: [face] confidence must be a number, not a string"),
        (#"[face]|mode = "acurate""#,
         #"p.toml:3: [face] mode must be one of "fast", "accurate", not "acurate"; did you mean "accurate"?"#),
        ("[face]|roi = [0, 0, 1]",
         "p.toml:3: [face] roi must be four numbers, [x, y, width, height], not 3"),
        ("[face]|roi = [0.5, 0, 0.6, 1]",
         "p.toml:3: [face] roi must lie inside the picture; x + width and y + height are at most 1"),
        ("[face]|roi = [0, 0, 0, 1]",
         "p.toml:3: [face] roi must have a width and a height of more than 0"),
        ("[face]|roi = [0, 0, 2, 1]",
         "p.toml:3: [face] roi[2] must be 0 to 1, not 2"),
        ("[face]|max_rate = -1",
         "p.toml:3: [face] max_rate must be 0 to 1000, not -1"),
        ("[face]|threads = 0",
         "p.toml:3: [face] threads must be 1 to 256, not 0"),
        (#"[face]|model = """#,
         "p.toml:3: [face] model must not be empty"),
        (#"[face]|formats = ["qr_code"]"#,
         #"p.toml:3: [face] unknown key "formats"; one of check_min_size, classification, confidence, device, enabled, landmarks, max_rate, min_size, mode, model, prominent_only, roi, threads, tracking"#),
        ("face = true",
         "p.toml:2: face must be a table, not a boolean; write [face]"),
    ]
}
