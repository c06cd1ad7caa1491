import Foundation
import GlimpseTesting
import Testing

@testable import Settings

/// The one table of what a change of a setting means, against the page that lists the settings.
@Suite struct DetectorKeyTests {
    /// Another value than the default for each key, as the file has it.
    private static let values = [
        "enabled": "false", "roi": "[0.0, 0.0, 0.5, 0.5]", "max_rate": "7", "model": "\"other\"",
        "mode": "\"accurate\"",
        "object.mode": "\"single\"", "landmarks": "false", "classification": "true", "min_size": "0.33",
        "check_min_size": "false", "prominent_only": "true", "confidence": "0.33", "device": "\"GPU\"", "threads": "3",
        "formats": "[\"qr_code\"]", "effort": "\"fast\"", "scan": "\"frame\"", "identity": "\"value\"",
        "confirm_reads": "3", "report_undecoded": "true", "cooldown": "\"3s\"", "allow": "[\"x\"]", "deny": "[\"x\"]",
        "parse_values": "false", "redact": "[\"wifi\"]", "multiple": "false", "max_objects": "7", "classify": "true",
        "class_agnostic": "true", "any": "true", "labels": "[\"car\"]", "label_confidence": "0.3", "max_labels": "3",
        "still_after": "\"3s\"", "top": "7", "hysteresis": "0.7", "smoothing": "\"3s\"", "preset": "\"erratic\"",
        "hits": "7", "max_gap": "\"7s\"", "max_gap_frames": "7", "low": "0.2", "high": "0.7", "birth": "0.8",
        "certain": "0.95", "capacity": "7", "reentry": "\"3s\"", "camera_shift": "false", "smoothed_box": "true",
        "smoothed_landmarks": "false", "landmark_hold": "\"3s\"", "confusable": "[[\"car\", \"truck\"]]",
        "focus": "\"central\"",
    ]

    private func settings(_ lines: String) throws -> PipelineSettings {
        try PipelineSettings.parse("[source]\nkind = \"test\"\n\(lines)\n")
    }

    /// The keys of each table of the page, dotted.
    private func documented(_ detector: String) throws -> Set<String> {
        let page = try String(contentsOfFile: "\(Checkout.root)/docs/configuration.md", encoding: .utf8)
        var keys: Set<String> = []
        for section in page.components(separatedBy: "\n### ").dropFirst() {
            let title = section.prefix { $0 != "\n" }
            let isTracking = title.contains("tracking]")
            guard title.contains("[\(detector)]") || isTracking else { continue }
            let lines = section.components(separatedBy: "\n## ")[0].components(separatedBy: "\n")
            // The first table; and what is said to be as in another section.
            let rows = lines.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.compactMap { line in
                let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                return ["face", "barcode"].contains(cells[2]) && cells[2] != detector ? nil : cells[1]
            }
            let said = lines.filter { $0.contains(" as of the other detectors") && !isTracking }
            for text in rows + said {
                for match in text.matches(of: /`([a-z_]+)`/) {
                    keys.insert((isTracking ? "tracking." : "") + match.output.1)
                }
            }
        }
        return keys
    }

    private func check<Table: DetectorTable>(
        _ path: KeyPath<PipelineSettings, Table?>, refused: Set<String> = []
    ) throws {
        let names = Table.keys.map(\.name)
        #expect(Set(names).count == names.count)
        let plain = try #require(try settings("[\(Table.detector)]")[keyPath: path])
        for key in Table.keys where !refused.contains(key.name) {
            let name = key.name.split(separator: ".").last.map(String.init) ?? ""
            let value = try #require(Self.values["\(Table.detector).\(name)"] ?? Self.values[name], "\(key.name)")
            let changed = try settings("[\(Table.detector)]\n\(key.name) = \(value)\n")
            let table = try #require(changed[keyPath: path])
            #expect(Table.keys.filter { $0.differs(plain, table) }.map(\.name) == [key.name])
            #expect(plain.change(to: table) == key.effect)
            #expect(plain.sees(as: table) == !key.isSeen)
            let takeOver = try settings("[\(Table.detector)]").takeOver(changed)
            switch key.effect {
            case .rules: #expect(takeOver == .init())
            case .detector: #expect(takeOver == .init(detectors: [Table.detector]))
            case .worker: #expect(takeOver == nil, "\(key.name)")
            }
        }
        // What the strict reader refuses for this detector stands in the table of all the same.
        for key in refused {
            let name = key.split(separator: ".").last.map(String.init) ?? ""
            let value = Self.values[name] ?? ""
            #expect(throws: ConfigurationErrors.self) { try settings("[\(Table.detector)]\n\(key) = \(value)\n") }
        }
        var documented = try documented(Table.detector)
        // Goes with the focus.
        documented.remove("tracking.focus_value")
        #expect(!documented.isEmpty && documented.subtracting(names).isEmpty, "\(documented.subtracting(names))")
        let unsaid = Set(names).subtracting(documented).subtracting(refused)
        // Every detector's, told once.
        #expect(unsaid.subtracting(["enabled", "tracking.enabled"]).isEmpty, "\(Table.detector): \(unsaid)")
    }

    @Test func faces() throws { try check(\.face, refused: ["tracking.confusable", "tracking.reentry"]) }

    @Test func barcodes() throws {
        try check(
            \.barcode,
            refused: [
                "tracking.enabled", "tracking.confusable", "tracking.smoothed_landmarks", "tracking.landmark_hold",
            ])
    }

    @Test func objects() throws {
        try check(
            \.object,
            refused: [
                "tracking.enabled", "tracking.reentry", "tracking.smoothed_landmarks", "tracking.landmark_hold",
            ])
    }

    @Test func scenes() throws {
        try check(
            \.scene,
            refused: [
                "tracking.enabled", "tracking.confusable", "tracking.smoothed_landmarks", "tracking.landmark_hold",
                "tracking.focus",
            ])
    }

    @Test func theStrongestChangeCounts() throws {
        let old = try settings("[face]\n[object]\n[scene]")
        let new = try settings(
            "[face]\nmax_rate = 3\n[object]\ntracking.low = 0.05\ntracking.hits = 3\n[scene]\nroi = [0.0, 0.0, 0.5, 0.5]"
        )
        #expect(old.takeOver(new)?.detectors == ["object", "scene"])
        #expect(old.takeOver(try settings("[face]\nmax_rate = 3\nmode = \"accurate\"\n[object]\n[scene]")) == nil)
    }

    /// What is not a detector's needs another worker, whatever it is.
    @Test(arguments: ["name = \"x\"", "enabled = false", "tags = { a = \"1\" }"])
    func theRest(line: String) throws {
        let old = try PipelineSettings.parse("[source]\nkind = \"test\"\n[face]")
        #expect(old.takeOver(try PipelineSettings.parse("\(line)\n[source]\nkind = \"test\"\n[face]")) == nil)
        for source in [
            "width = 64", "rotation = 90", "mirror = true", "every = 2", "stall_limit = \"3s\"", "decode_threads = 3",
        ] {
            #expect(old.takeOver(try PipelineSettings.parse("[source]\nkind = \"test\"\n\(source)\n[face]")) == nil)
        }
    }
}
