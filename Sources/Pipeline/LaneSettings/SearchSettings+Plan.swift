// SPDX-License-Identifier: Apache-2.0
import Observations
import Search
import Settings

extension PipelineSettings {
    /// The plan of the live search, and the detector whose lane it follows; nil without a live search.
    package var searchPlan: (detector: String, plan: SearchPlan)? {
        guard let search, search.enabled else { return nil }
        let configuration = SearchConfiguration(search)
        let detector = runningDetectors.first { $0.kind == configuration.kind }
        return (detector?.name ?? configuration.kind.rawValue, SearchPlan(pipeline: name, configuration: configuration))
    }
}

extension SearchConfiguration {
    package init(_ settings: SearchSettings) {
        self.init()
        isAutomatic = settings.auto
        center = Point(x: Float(settings.reticle.x), y: Float(settings.reticle.y))
        radius = Float(settings.reticle.radius)
        ignoresUnknown = settings.ignoreUnknown
        hold = settings.hold.nanoseconds
        detectionTimeout = settings.detectionTimeout.nanoseconds
        cooldown = settings.cooldown.nanoseconds
        timeout = settings.timeout.nanoseconds
        resultTime = settings.resultTime.nanoseconds
        failureTime = settings.failureTime.nanoseconds
        threshold = Float(settings.confidence)
        topOnly = settings.topOnly
        help = settings.help
        hasEngine = (settings.engine ?? (settings.source == .barcode ? .none : .subscriber)) != .none
        switch settings.source {
        case .prominent:
            source = .prominent
            confirmation = (settings.confirm ?? .milliseconds(settings.auto ? 1500 : 500)).nanoseconds
            minimumSize = Float(settings.minSize)
        case .any:
            source = .any
            confirmation = 300_000_000
            minimumSize = Float(settings.minSize)
        case .barcode:
            source = .barcode
            delay = settings.delay.nanoseconds
            minimumSize = settings.sizeCheck ? Float(settings.minWidth * settings.reticle.width) : 0
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
