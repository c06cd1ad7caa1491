// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import EventLines
import FoundationEssentials
import Observations

/// One line from a subscriber. A line may contain several commands; they are carried out in the order of the
/// properties.
package struct SubscriberRequest: Sendable, Equatable {
    package var filter: EventFilter?
    package var resume: Resume?
    package var state = false
    package var ping: String?

    /// Resume after this sequence number of the given run; without a run id, of the current run.
    package struct Resume: Sendable, Equatable {
        package var after: UInt64
        package var runID: String?
    }

    /// The reason why a line is not a request, for the subscriber.
    package struct Invalid: Error, Equatable {
        package var reason: String
    }

    /// - Throws: `Invalid`.
    package init(line: some Collection<UInt8>) throws(Invalid) {
        do {
            self = try JSONDecoder().decode(RequestLine.self, from: Data(line)).request
        } catch let error as Invalid {
            throw error
        } catch let error as DecodingError {
            throw Invalid(error)
        } catch {
            throw Invalid(reason: "invalid JSON")
        }
    }

    fileprivate init() {}
}

/// The JSON form of a request.
private struct RequestLine: Decodable {
    var request = SubscriberRequest()

    init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: Key.self)
        guard !line.allKeys.isEmpty else {
            throw SubscriberRequest.Invalid(reason: "no command: \(Self.commands)")
        }
        for key in line.allKeys {
            switch key.stringValue {
            case "subscribe": request.filter = try line.decode(FilterForm.self, forKey: key).filter
            case "after":
                guard let after = try? line.decode(UInt64.self, forKey: key) else {
                    throw SubscriberRequest.Invalid(reason: "after: expected a number from 0")
                }
                request.resume = .init(
                    after: after,
                    runID: try line.decodeIfPresent(String.self, forKey: Key(stringValue: "run_id")))
            case "run_id":
                guard line.contains(Key(stringValue: "after")) else {
                    throw SubscriberRequest.Invalid(reason: "run_id requires after")
                }
            case "state": request.state = try line.decode(Bool.self, forKey: key)
            case "ping": request.ping = try line.decode(String.self, forKey: key)
            default:
                throw SubscriberRequest.Invalid(
                    reason: "unknown command \"\(key.stringValue.prefix(64))\": \(Self.commands)")
            }
        }
    }

    private static let commands = "expected subscribe, after, state or ping"
}

private struct FilterForm: Decodable {
    /// The highest number of patterns; each pattern is compared with the name of each pipeline.
    static let mostPipelines = 256

    var filter = EventFilter()

    init(from decoder: any Decoder) throws {
        let form = try decoder.container(keyedBy: Key.self)
        for key in form.allKeys {
            switch key.stringValue {
            case "pipelines":
                let patterns = try form.decode([String].self, forKey: key)
                guard patterns.count <= Self.mostPipelines,
                    patterns.allSatisfy({ $0.utf8.count <= NamePattern.longest })
                else {
                    throw SubscriberRequest.Invalid(
                        reason: "subscribe.pipelines: expected at most \(Self.mostPipelines) names of at most "
                            + "\(NamePattern.longest) bytes; the filter is unchanged")
                }
                filter.pipelines = patterns.map(NamePattern.init)
            case "kinds":
                filter.kinds = try Self.names(form.decode([String].self, forKey: key), "kind", FeatureKind.init)
            case "types":
                filter.types = try Self.names(form.decode([String].self, forKey: key), "type") { name in
                    EncodedEvent.Kind(name: name).flatMap { $0.request.isEmpty ? $0 : nil }
                }
            case "labels": filter.track.labels = Set(try form.decode([String].self, forKey: key))
            case "min_confidence":
                filter.track.minimumConfidence = try form.number(key, "from 0 to 1") { (0...1).contains($0) }
            case "value_regex":
                do {
                    filter.track.value = try ValuePattern(form.decode(String.self, forKey: key))
                } catch let problem as ValuePattern.Problem {
                    throw SubscriberRequest.Invalid(
                        reason: "subscribe.value_regex \(problem.text); the filter is unchanged")
                }
            case "update_hz": filter.updateRate = try form.number(key, "over 0") { $0 > 0 }
            case "stages": filter.stages = try form.decode(Bool.self, forKey: key)
            case "passive": filter.isPassive = try form.decode(Bool.self, forKey: key)
            case "frames": if try form.decode(Bool.self, forKey: key) { filter.requested.insert(.frames) }
            case "explain": if try form.decode(Bool.self, forKey: key) { filter.requested.insert(.explanations) }
            case "frame_hz": filter.frameRate = try form.number(key, "over 0") { $0 > 0 }
            case "lines": filter.track.lines = Set(try form.decode([String].self, forKey: key))
            case "zones": filter.track.zones = Set(try form.decode([String].self, forKey: key))
            default:
                throw SubscriberRequest.Invalid(
                    reason: "unknown key subscribe.\(key.stringValue.prefix(64)); the filter is unchanged")
            }
        }
        guard filter.frameRate == nil || filter.requested.contains(.frames) else {
            throw SubscriberRequest.Invalid(
                reason: "subscribe.frame_hz requires \"frames\": true; the filter is unchanged")
        }
    }

    private static func names<Value: Hashable>(
        _ names: [String], _ what: String, _ value: (String) -> Value?
    ) throws -> Set<Value> {
        try Set(
            names.map { name in
                guard let value = value(name) else {
                    throw SubscriberRequest.Invalid(
                        reason: "unknown \(what) \"\(name.prefix(64))\"; the filter is unchanged")
                }
                return value
            })
    }
}

extension KeyedDecodingContainer<Key> {
    fileprivate func number(_ key: Key, _ range: String, _ isInRange: (Double) -> Bool) throws -> Double {
        let number = try decode(Double.self, forKey: key)
        guard isInRange(number) else {
            throw SubscriberRequest.Invalid(
                reason: "subscribe.\(key.stringValue): expected a number \(range); the filter is unchanged")
        }
        return number
    }
}

private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension SubscriberRequest.Invalid {
    fileprivate init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
            let expected =
                switch type {
                case is Bool.Type: "true or false"
                case is Double.Type: "a number"
                case is String.Type: "a string"
                case is [String].Type, is [Any].Type: "an array of strings"
                default: "an object"
                }
            reason = path.isEmpty ? "a request must be a JSON object" : "\(path): expected \(expected)"
        default:
            reason = "invalid JSON"
        }
    }
}
