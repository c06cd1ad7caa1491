// SPDX-License-Identifier: Apache-2.0
import LaneSettings
import Observations
import Search
import Testing

@testable import Settings

@Suite struct SearchSettingsTests {
    private func configuration(_ search: String, detector: String = "object") throws -> SearchConfiguration {
        let settings = try PipelineSettings.parse("source.kind = \"test\"\n[\(detector)]\n[search]\n\(search)")
        let plans = settings.lanePlans
        #expect(plans.map(\.detector) == [detector])
        return try #require(plans.first?.search).configuration
    }

    /// Defaults of the iOS sample, for keys that the sample has.
    @Test func searchDefaultsOfObjectsAndBarcodes() throws {
        let object = try configuration("")
        var expected = SearchConfiguration()
        (expected.minimumSize, expected.threshold) = (0.1, 0.5)
        #expect(object == expected && object.confirmation == 1_500_000_000 && object.radius == 0.067)
        #expect(object.center == Point(x: 0.5, y: 0.5) && object.hasEngine)
        #expect(try configuration("auto = false").confirmation == 500_000_000)
        #expect(try configuration("source = \"any\"").confirmation == 300_000_000)
        #expect(try configuration("source = \"any\"\nauto = false").confirmation == 300_000_000)
        let barcode = try configuration("source = \"barcode\"", detector: "barcode")
        #expect(barcode.source == .barcode && barcode.delay == 2_000_000_000 && !barcode.hasEngine)
        #expect(barcode.minimumSize == 0 && barcode.isAutomatic)
        let checked = try configuration("source = \"barcode\"\nsize_check = true", detector: "barcode")
        #expect(checked.minimumSize == 0.4)
        #expect(try configuration("source = \"barcode\"\nengine = \"subscriber\"", detector: "barcode").hasEngine)
    }

    @Test(
        arguments: [
            "source = \"any\"", "auto = false", "confirm = \"600ms\"", "reticle.x = 0.4", "reticle.y = 0.4",
            "reticle.radius = 0.1", "min_size = 0.2", "ignore_unknown = true", "hold = \"0s\"",
            "detection_timeout = \"0s\"", "cooldown = \"0s\"", "timeout = \"1s\"", "result_time = \"0s\"",
            "failure_time = \"0s\"", "confidence = 0.1", "top_only = true",
            "help = \"https://shop.example/help\"",
        ])
    func everySearchKeyOfObjectsIsRead(line: String) throws {
        #expect(try configuration(line) != configuration(""))
    }

    @Test(arguments: ["delay = \"0s\"", "size_check = true", "engine = \"subscriber\""])
    func everySearchKeyOfBarcodesIsRead(line: String) throws {
        let barcode = "source = \"barcode\"\n"
        #expect(
            try configuration(barcode + line, detector: "barcode") != configuration(barcode, detector: "barcode"))
        let sized = barcode + "size_check = true\n"
        for more in ["min_width = 0.3", "reticle.width = 0.9"] {
            #expect(
                try configuration(sized + more, detector: "barcode") != configuration(sized, detector: "barcode"))
        }
    }

    @Test func aSearchTableMayBePresentAndOff() throws {
        let settings = try PipelineSettings.parse("source.kind = \"test\"\n[barcode]\n[search]\nenabled = false\n")
        #expect(settings.searchPlan == nil && settings.lanePlans.allSatisfy { $0.search == nil })
    }

    /// A change of the search needs a new worker.
    @Test func aRunningWorkerKeepsItsSearch() throws {
        func settings(_ search: String) throws -> PipelineSettings {
            try PipelineSettings.parse("source.kind = \"test\"\n[object]\n[search]\n\(search)")
        }
        #expect(try settings("").takeOver(settings("cooldown = \"1s\"")) == nil)
    }
}
