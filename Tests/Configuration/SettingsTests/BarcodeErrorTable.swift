// SPDX-License-Identifier: Apache-2.0
// Long lines, because a row is a text and its exact message.
// swift-format-ignore-file

extension PipelineErrorTests {
    /// Errors of the table `[barcode]`.
    static let barcodeRows: [(text: String, message: String)] = [
        (#"[barcode]|formats = ["qrcode"]"#,
         #"p.toml:3: [barcode] formats[0] must be a barcode format, not "qrcode"; did you mean "qr_code"?"#),
        (#"[barcode]|formats = [|"ean_13",|"upc_x",|]"#,
         #"p.toml:5: [barcode] formats[1] must be a barcode format, not "upc_x"; did you mean "upc_a"?"#),
        ("[barcode]|formats = []",
         #"p.toml:3: [barcode] formats must not be empty; ["all"] is every format"#),
        (#"[barcode]|formats = "qr_code""#,
         "p.toml:3: [barcode] formats must be an array, not a string"),
        (#"[barcode]|effort = "harder""#,
         #"p.toml:3: [barcode] effort must be one of "adaptive", "fast", "thorough", "hard", not "harder"; did you mean "hard"?"#),
        (#"[barcode]|identity = "position""#,
         #"p.toml:3: [barcode] identity must be one of "value+position", "value", not "position""#),
        (#"[barcode]|scan = "never""#,
         #"p.toml:3: [barcode] scan must be one of "stream", "frame", not "never""#),
        (#"[barcode]|cooldown = 5"#,
         #"p.toml:3: [barcode] cooldown must be a duration such as "250ms" or "10s", not an integer"#),
        (#"[barcode]|allow = ["^a(b$"]"#,
         #"p.toml:3: [barcode] allow[0] is not a regular expression: a ( is not closed"#),
        (#"[barcode]|deny = ["x", "(a)\\1"]"#,
         #"p.toml:3: [barcode] deny[1] must not have back-references: their cost has no bound"#),
        (#"[barcode]|deny = ["(a{1,40}){1,40}"]"#,
         "p.toml:3: [barcode] deny[0] is too large: with its repetitions written out it has more than 512 states"),
        (#"[barcode]|allow = [""]"#, "p.toml:3: [barcode] allow[0] must not be empty"),
        ("[barcode]|confirm_reads = 0",
         #"p.toml:3: [barcode] confirm_reads must be "auto" or 1 to 100, not 0"#),
        ("[barcode]|confirm_reads = true",
         #"p.toml:3: [barcode] confirm_reads must be "auto" or an integer, not a boolean"#),
        (#"[barcode]|redact = ["wify.password"]"#,
         #"p.toml:3: [barcode] redact[0] must begin with a value format, not "wify"; did you mean "wifi"?"#),
        (#"[barcode]|redact = ["wifi.password.x"]"#,
         #"p.toml:3: [barcode] redact[0] must name a field of wifi, not "password.x"; did you mean "password"?"#),
        (#"[barcode]|redact = ["wifi.secret"]"#,
         #"p.toml:3: [barcode] redact[0] must name a field of wifi, not "secret"; one of ssid, password, encryption_type, security, hidden, transition_disable, public_key, password_id, eap"#),
        (#"[barcode]|redact = ["text.line"]"#,
         #"p.toml:3: [barcode] redact[0] must name a field of text, not "line"; "text" alone: it has no fields"#),
        (#"[barcode]|redact = ["gs1.05"]"#,
         #"p.toml:3: [barcode] redact[0] must name a field of gs1, not "05"; elements, or an application identifier such as 21"#),
        (#"[barcode]|device = "CPU""#,
         #"p.toml:3: [barcode] unknown key "device"; one of allow, confirm_reads, cooldown, deny, effort, enabled, formats, identity, max_rate, parse_values, redact, report_undecoded, roi, scan, tracking"#),
    ]
}
