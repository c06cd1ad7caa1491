// SPDX-License-Identifier: Apache-2.0
import Observations

/// The `[search]` table: a live search behind the object or the barcode detector.
package struct SearchSettings: Sendable, Equatable {
    package enum Source: String, Sendable, CaseIterable {
        case prominent, any, barcode
    }

    /// The source of a search's answers.
    package enum Engine: String, Sendable, CaseIterable {
        /// No engine: the answer is the barcode's own value.
        case none
        /// A client answers by the control socket's `result`.
        case subscriber
        /// A model, reference pictures or a server, by the table of that name.
        case classifier, index, http
    }

    package var enabled = true
    package var source = Source.prominent
    /// nil = `none` for barcodes, `subscriber` for objects.
    package var engine: Engine?
    package var hold = Duration.milliseconds(200)
    /// Zero = never.
    package var detectionTimeout = Duration.seconds(30)
    /// Zero = none.
    package var cooldown = Duration.seconds(3)
    package var timeout = Duration.seconds(10)
    /// Zero = until somebody says so; this and the next one.
    package var resultTime = Duration.seconds(10)
    package var failureTime = Duration.seconds(10)
    /// 0...1.
    package var confidence = 0.5
    package var topOnly = false
    /// Address at which people find help.
    package var help: String?
    /// Whether what is confirmed is searched without a command.
    package var auto = true
    /// Objects only; nil = 1500 ms, with `auto = false` 500 ms. With `any` always 300 ms.
    package var confirm: Duration?
    /// Longer side of an object's box as a proportion of the picture's longer side, 0...1.
    package var minSize = 0.1
    package var ignoreUnknown = false
    /// Whether a barcode has to be `minWidth` wide.
    package var sizeCheck = false
    /// The least width of a barcode, as a proportion of the reticle's width, 0.2...0.8.
    package var minWidth = 0.5
    /// From a barcode's confirmation to its result.
    package var delay = Duration.seconds(2)
    package var reticle = Reticle()
    /// There where `engine` says so.
    package var classifier: ClassifierSearchSettings?
    package var index: IndexSearchSettings?
    package var http: HTTPSearchSettings?

    /// Where people are asked to hold things.
    package struct Reticle: Sendable, Equatable {
        /// Centre, proportions of width and height.
        package var x = 0.5
        package var y = 0.5
        /// For objects: a proportion of the shorter side, 0.005...0.5.
        package var radius = 0.067
        /// For barcodes: a proportion of the width, 0.5...0.95.
        package var width = 0.8
    }

    package static let standard = Self()

    /// The kind of the features that are searched.
    package var kind: FeatureKind { source == .barcode ? .barcode : .object }
}

extension SearchSettings: KeyedTable {
    private static let limit = Duration.seconds(3600)
    private static let objects = [Source.prominent.rawValue, Source.any.rawValue]
    private static let barcodes = [Source.barcode.rawValue]

    package static let keys = rows(
        of: Self.init(
            enabled:source:engine:hold:detectionTimeout:cooldown:timeout:resultTime:failureTime:confidence:topOnly:
            help:auto:confirm:minSize:ignoreUnknown:sizeCheck:minWidth:delay:reticle:classifier:index:http:),
        .init("enabled", \.enabled, .boolean, .worker, isSeen: false, "`false`: the table has no effect"),
        .init(
            "source", \.source, .choice(), .worker,
            "`prominent`: the most prominent object; `any`: the object in the middle; `barcode`: a barcode"),
        .init(
            "engine", optional: \.engine, .choice(), .worker,
            "the part that answers; the default is `none` for barcodes, `subscriber` for objects"),
        .init(
            "hold", \.hold, .duration(.zero, to: .seconds(2)), .worker, "longest time for which a thing may be unseen"),
        .init(
            "detection_timeout", \.detectionTimeout, .duration(.zero, to: limit), .worker,
            "time without an object until `timed_out`; `\"0s\"`: never"),
        .init(
            "cooldown", \.cooldown, .duration(.zero, to: limit), .worker,
            "time for which a thing must be away before it is searched again"),
        .init(
            "timeout", \.timeout, .duration(.milliseconds(100), to: .seconds(300)), .worker,
            "`search_failed` with `timeout`"),
        .init(
            "result_time", \.resultTime, .duration(.zero, to: limit), .worker,
            "time for which results stay; `\"0s\"`: until `dismiss`"),
        .init(
            "failure_time", \.failureTime, .duration(.zero, to: limit), .worker,
            "time for which failures stay; `\"0s\"`: until `retry` or `dismiss`"),
        .init("confidence", \.confidence, .proportion, .worker, "results with less are left out"),
        .init("top_only", \.topOnly, .boolean, .worker, "only the best result"),
        .init(
            "help", optional: \.help, .helpAddress, .worker,
            "address for `hint.help` in `timed_out` and `search_failed`"),
        .init("auto", \.auto, .boolean, .worker, of: objects, "a confirmed thing is searched without a command"),
        .init(
            "confirm", \.confirm, values: "duration, 500ms to 2s, without `auto` 100ms to 1s", .worker,
            of: ["prominent"],
            "time in the reticle; 1500ms, without `auto` 500ms; with `any` always 300ms"
        ) { @Sendable reader, key, table in
            let format: ValueFormat<Duration> =
                table.auto
                ? .duration(.milliseconds(500), to: .seconds(2)) : .duration(.milliseconds(100), to: .seconds(1))
            reader.read(key, format, into: &table.confirm)
        },
        .init(
            "min_size", \.minSize, .proportion, .worker, of: objects,
            "least longer side of a box, of the picture's longer side; below it `too_small`"),
        .init(
            "ignore_unknown", \.ignoreUnknown, .boolean, .worker, of: objects,
            "objects without a label, labelled `N/A`, or of category `unknown` do not count"),
        .init("size_check", \.sizeCheck, .boolean, .worker, of: barcodes, "a code must be `min_width` wide"),
        .init(
            "min_width", \.minWidth, .number(0.2...0.8), .worker, of: barcodes,
            "least width of a code, of the reticle's width; below it `too_small`"),
        .init(
            "delay", \.delay, .duration(.zero, to: .seconds(10)), .worker, of: barcodes,
            "time from a code's confirmation to its result"),
        .members(
            of: Reticle.init(x:y:radius:width:),
            .init("reticle.x", \.reticle.x, .proportion, .worker, "its centre"),
            .init("reticle.y", \.reticle.y, .proportion, .worker, "its centre"),
            .init(
                "reticle.radius", \.reticle.radius, .number(0.005...0.5), .worker, of: objects,
                "of the picture's shorter side"),
            .init(
                "reticle.width", \.reticle.width, .number(0.5...0.95), .worker, of: barcodes, "of the picture's width")),
        .noKey, .noKey, .noKey)

    init(_ reader: TableReader) {
        decode(reader)
        decodeEngine(reader)
        decodeKind(reader)
        if let table = reader.table("reticle") {
            decode(table, "reticle")
            decodeKind(table, "reticle")
            table.finish()
        }
        if source != .barcode, engine == Engine.none {
            reader.report(
                "engine", "engine \"none\" works only with barcodes: an object has no text to report",
                suggestion: "engine = \"subscriber\"")
        }
        reader.finish()
    }

    /// The keys of this kind of search, and no other kind's.
    private mutating func decodeKind(_ reader: TableReader, _ name: String = "") {
        decode(reader, name, of: source.rawValue)
        Self.refuse(reader, name, of: source.rawValue, "source \"\(source.rawValue)\"") { key, kinds in
            if key == "confirm", source == .any { return "it is 300ms there" }
            return "it belongs to the search of \(kinds == Self.barcodes ? "a barcode" : "an object")"
        }
    }

    /// The table of the engine, and no other engine's.
    private mutating func decodeEngine(_ reader: TableReader) {
        for other in [Engine.classifier, .index, .http] where other != engine && reader.has(other.rawValue) {
            reader.report(
                other.rawValue, "[search.\(other.rawValue)] applies only to engine = \"\(other.rawValue)\"")
        }
        switch engine {
        case .classifier:
            classifier = reader.table("classifier").map(ClassifierSearchSettings.init) ?? ClassifierSearchSettings()
        case .index: index = reader.requiredTable("index", example: "file").map(IndexSearchSettings.init)
        case .http: http = reader.requiredTable("http", example: "url").map(HTTPSearchSettings.init)
        case .subscriber, .some(.none), nil: break
        }
    }

    /// Reports what the pipeline lacks.
    func check(_ pipeline: PipelineSettings, _ reader: TableReader) {
        guard enabled else { return }
        guard !pipeline.runningDetectors.contains(where: { $0.kind == kind }) else { return }
        reader.report(
            "source", "source \"\(source.rawValue)\" needs the detector \(kind.rawValue)",
            suggestion: "add [\(kind.rawValue)]")
    }
}

extension ValueFormat<String> {
    fileprivate static var helpAddress: Self {
        nonEmptyText.checked("address with its scheme") { text throws(ValueProblem) in
            let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
            let isScheme = scheme.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            guard isScheme, !scheme.isEmpty, scheme.count + 1 < text.utf8.count,
                text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
            else { throw .init("must be an address such as https://shop.example/help or tel:+15550100") }
            guard text.utf8.count <= 1024 else { throw .init("must have at most 1024 bytes") }
        }
    }
}
