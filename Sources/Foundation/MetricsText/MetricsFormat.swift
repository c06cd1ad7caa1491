// SPDX-License-Identifier: Apache-2.0
/// A text format of metrics.
package enum MetricsFormat: String, Sendable, CaseIterable {
    /// The Prometheus text format 0.0.4.
    case prometheus
    /// OpenMetrics 1.0.
    case openMetrics = "openmetrics"

    /// The value of the HTTP header `Content-Type`.
    package var contentType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// The format for an HTTP request: OpenMetrics if its header `Accept` prefers that format.
    package init(accept: String) {
        var (best, quality) = (MetricsFormat.prometheus, 0.0)
        for range in accept.split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.lowercased().filter { !$0.isWhitespace } }
            guard let type = parts.first else { continue }
            let q = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            let version = parts.dropFirst().first { $0.hasPrefix("version=") }?.dropFirst(8)
            switch type {
            case "application/openmetrics-text" where version == nil || version == "1.0.0" || version == "0.0.1":
                if q > quality { (best, quality) = (.openMetrics, q) }
            case "text/plain" where version == nil || version == "0.0.4", "text/*", "*/*":
                if q > quality { (best, quality) = (.prometheus, q) }
            default: break
            }
        }
        self = best
    }
}
