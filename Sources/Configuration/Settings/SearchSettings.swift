/// The `[search]` table: a live search behind the object or the barcode detector.
package struct SearchSettings: Sendable, Equatable {
    package enum Source: String, Sendable, CaseIterable {
        case prominent, any, barcode
    }

    /// Who answers.
    package enum Engine: String, Sendable, CaseIterable {
        /// What is searched says itself what it is: a barcode's value.
        case none
        /// A client answers by the control socket's `result`.
        case subscriber
        /// A model, reference pictures or a server, by the table of that name.
        case classifier, index, http
    }

    package var enabled = true
    package var source = Source.prominent
    /// Whether what is confirmed is searched without a command.
    package var auto = true
    /// Objects only; nil = 1500 ms, with `auto = false` 500 ms. With `any` always 300 ms.
    package var confirm: Duration?
    package var reticle = Reticle()
    /// Longer side of an object's box as a proportion of the picture's longer side, 0...1.
    package var minSize = 0.1
    /// Whether a barcode has to be `minWidth` wide.
    package var sizeCheck = false
    /// Of a barcode, as a proportion of the reticle's width, 0.2...0.8.
    package var minWidth = 0.5
    package var ignoreUnknown = false
    package var hold = Duration.milliseconds(200)
    /// Zero = never.
    package var detectionTimeout = Duration.seconds(30)
    /// Zero = none.
    package var cooldown = Duration.seconds(3)
    /// From a barcode's confirmation to its result.
    package var delay = Duration.seconds(2)
    /// nil = `none` for barcodes, `subscriber` for objects.
    package var engine: Engine?
    package var timeout = Duration.seconds(10)
    /// Zero = until somebody says so; this and the next one.
    package var resultTime = Duration.seconds(10)
    package var failureTime = Duration.seconds(10)
    /// 0...1.
    package var confidence = 0.5
    package var topOnly = false
    /// Address at which people find help.
    package var help: String?
    /// There where `engine` says so.
    package var classifier: ClassifierSearchSettings?
    package var index: IndexSearchSettings?
    package var http: HTTPSearchSettings?

    /// Where people are asked to hold things.
    package struct Reticle: Sendable, Equatable {
        /// Centre, proportions of width and height.
        package var x = 0.5
        package var y = 0.5
        /// Of objects: a proportion of the shorter side, 0.005...0.5.
        package var radius = 0.067
        /// Of barcodes: a proportion of the width, 0.5...0.95.
        package var width = 0.8

        package init() {}
    }

    package init() {}
}

extension SearchSettings {
    init(_ reader: TableReader) {
        reader.read("enabled", .boolean, into: &enabled)
        reader.read("source", .choice(), into: &source)
        reader.read("engine", .choice(), into: &engine)
        reader.read("hold", .duration(.zero...(.seconds(2))), into: &hold)
        reader.read("detection_timeout", .duration(.zero...(.seconds(3600))), into: &detectionTimeout)
        reader.read("cooldown", .duration(.zero...(.seconds(3600))), into: &cooldown)
        reader.read("timeout", .duration(.milliseconds(100)...(.seconds(300))), into: &timeout)
        reader.read("result_time", .duration(.zero...(.seconds(3600))), into: &resultTime)
        reader.read("failure_time", .duration(.zero...(.seconds(3600))), into: &failureTime)
        reader.read("confidence", .proportion, into: &confidence)
        reader.read("top_only", .boolean, into: &topOnly)
        reader.read("help", .helpAddress, into: &help)
        decodeEngine(reader)
        decodeReticle(reader.table("reticle"))
        switch source {
        case .barcode:
            reader.read("size_check", .boolean, into: &sizeCheck)
            reader.read("min_width", .number(0.2...0.8), into: &minWidth)
            reader.read("delay", .duration(.zero...(.seconds(10))), into: &delay)
            refuse(["auto", "confirm", "min_size", "ignore_unknown"], of: "an object", reader)
        case .prominent, .any:
            reader.read("auto", .boolean, into: &auto)
            reader.read("min_size", .proportion, into: &minSize)
            reader.read("ignore_unknown", .boolean, into: &ignoreUnknown)
            decodeConfirmation(reader)
            refuse(["size_check", "min_width", "delay"], of: "a barcode", reader)
            if engine == Engine.none {
                reader.report(
                    "engine", "engine \"none\" is for barcodes: an object does not say what it is",
                    suggestion: "engine = \"subscriber\"")
            }
        }
        reader.finish()
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
        case .index: index = reader.requiredTable("index", example: "file").flatMap(IndexSearchSettings.init)
        case .http: http = reader.requiredTable("http", example: "url").flatMap(HTTPSearchSettings.init)
        case .subscriber, .some(.none), nil: break
        }
    }

    private mutating func decodeConfirmation(_ reader: TableReader) {
        if source == .any {
            if reader.has("confirm") {
                reader.report("confirm", "confirm does not apply to source \"any\"; it is 300ms there")
            }
            return
        }
        reader.read(
            "confirm",
            auto
                ? .duration(.milliseconds(500)...(.milliseconds(2000)))
                : .duration(.milliseconds(100)...(.milliseconds(1000))), into: &confirm)
    }

    private mutating func decodeReticle(_ reader: TableReader?) {
        guard let reader else { return }
        reader.read("x", .proportion, into: &reticle.x)
        reader.read("y", .proportion, into: &reticle.y)
        if source == .barcode {
            reader.read("width", .number(0.5...0.95), into: &reticle.width)
            refuse(["radius"], of: "an object", reader)
        } else {
            reader.read("radius", .number(0.005...0.5), into: &reticle.radius)
            refuse(["width"], of: "a barcode", reader)
        }
        reader.finish()
    }

    private func refuse(_ keys: [String], of other: String, _ reader: TableReader) {
        for key in keys where reader.has(key) {
            reader.report(
                key, "\(key) does not apply to source \"\(source.rawValue)\"; it belongs to the search of \(other)")
        }
    }

    /// Reports what the pipeline lacks.
    func check(_ pipeline: PipelineSettings, _ reader: TableReader) {
        guard enabled else { return }
        let (detector, isThere) =
            source == .barcode
            ? ("barcode", pipeline.barcode?.enabled == true) : ("object", pipeline.object?.enabled == true)
        guard !isThere else { return }
        reader.report(
            "source", "source \"\(source.rawValue)\" needs the detector \(detector)", suggestion: "add [\(detector)]")
    }
}

extension ValueFormat<String> {
    fileprivate static var helpAddress: Self {
        nonEmptyText.map { text throws(ValueProblem) in
            let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
            let isScheme = scheme.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            guard isScheme, !scheme.isEmpty, scheme.count + 1 < text.utf8.count,
                text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
            else { throw .init("must be an address such as https://shop.example/help or tel:+15550100") }
            guard text.utf8.count <= 1024 else { throw .init("must have at most 1024 bytes") }
            return text
        }
    }
}
