// SPDX-License-Identifier: Apache-2.0
import Pipelines
import Settings

extension LaneConfiguration {
    /// Detects objects: boxes, and labels on request.
    ///
    /// The name of the detector is `object`. Without an installed model it finds moving things. An option out of range
    /// makes the detector not operational.
    ///
    /// - Parameters:
    ///   - multiple: `false` reports only the most prominent object.
    ///   - maxObjects: number of objects reported at a time, 1...1000.
    ///   - classify: whether objects have labels and a coarse category.
    ///   - labels: the wanted classes of the model. An empty list selects all classes.
    ///   - any: whether things of no known class are reported, without labels.
    ///   - confidence: objects with less start no track, 0...1.
    ///   - minSize: longer side of the box as a proportion of the picture's longer side, 0...1.
    ///   - region: the part of the picture that is searched, in 0...1.
    ///   - model: a model's name, `motion`, or `auto`: the best installed.
    ///   - device: OpenVINO's name of the device: `CPU`, `AUTO`, `GPU`, `NPU`.
    ///   - threads: threads of one run, 1...256.
    public static func object(
        multiple: Bool = true, maxObjects: Int = 5, classify: Bool = false, labels: [String] = [], any: Bool = false,
        confidence: Double = 0.5, minSize: Double = 0, region: Box? = nil, model: String = "auto",
        device: String = "CPU", threads: Int = 1
    ) -> LaneConfiguration {
        var settings = ObjectSettings()
        settings.multiple = multiple
        settings.maxObjects = maxObjects
        settings.classify = classify
        settings.labels = labels
        settings.any = any
        settings.confidence = confidence
        settings.minSize = minSize
        settings.common.roi = RegionOfInterest(region)
        settings.model = model
        (settings.device, settings.threads) = (device, threads)
        return LaneConfiguration(stock: ConfiguredDetector(.object(settings)))
    }
}
