// SPDX-License-Identifier: Apache-2.0
import JSONLines

/// The messages with which Home Assistant (2024.3 and later) finds the box and its pipelines. Each entity has a topic.
/// The box is a device, and each pipeline is a device of its own. The type is pure.
///
/// An entity's unique id is the topic of its state, so it stays when other names change. The discovery topic has two
/// levels made by `TopicNames.level`, one for the device and one for the entity, so no two entities meet.
package struct HomeAssistantDiscovery: Sendable {
    /// The first level of Home Assistant's discovery topics.
    private let prefix: String
    private let topics: TopicNames
    private let box: String
    /// The types of events on the topic `live`.
    private let types: [String]
    private let hasPictures: Bool

    /// - Parameter prefix: `discovery_prefix`
    package init(
        prefix: String, topics: TopicNames, box: String, types: some Sequence<String>, hasPictures: Bool = false
    ) {
        self.prefix = prefix
        self.topics = topics
        self.box = box
        self.types = types.sorted()
        self.hasPictures = hasPictures
    }

    /// Home Assistant publishes `online` here when it starts.
    package var statusTopic: String { "\(prefix)/status" }

    /// Whether the topic is one of an entity's configuration.
    package func isConfiguration(_ topic: String) -> Bool {
        topic.hasPrefix("\(prefix)/") && topic.hasSuffix("/config")
    }

    // MARK: Devices

    /// The box itself, whose one entity tells whether the relay is connected.
    package var boxMessage: (topic: String, payload: String) {
        message(
            Entity(component: "binary_sensor", name: "connection", path: "status", availability: []), topics.root,
            device: { json in
                json.member("name", box)
                json.member("model", "box")
            },
            more: Self.connectivity)
    }

    /// The entities of a pipeline.
    package func messages(_ outline: PipelineOutline) -> [(topic: String, payload: String)] {
        let root = topics.pipeline(outline.name)
        let device = { (json: inout JSONWriter) in
            json.member("name", "\(box) \(outline.name)")
            json.member("model", "pipeline")
            json.member("via_device", topics.root)
        }
        let both = [topics.boxStatus, topics.pipelineStatus(outline.name)]
        var messages: [(topic: String, payload: String)] = []
        func add(
            _ component: String, _ name: String, _ topic: String, _ availability: [String],
            _ more: (inout JSONWriter) -> Void
        ) {
            let path = String(topic.dropFirst(root.count + 1))
            messages.append(
                message(
                    Entity(component: component, name: name, path: path, availability: availability), root,
                    device: device, more: more))
        }
        add(
            "binary_sensor", "connection", topics.pipelineStatus(outline.name), [topics.boxStatus], Self.connectivity)
        add("event", "events", topics.live(outline.name), both) { Self.events(types, &$0) }
        if outline.kinds.contains("barcode") {
            add("event", "barcodes", topics.barcode(outline.name), both) { Self.events(["read"], &$0) }
        }
        if hasPictures {
            add("image", "best picture", topics.best(outline.name), both) { json in
                json.member("content_type", "image/jpeg")
            }
        }
        for kind in outline.kinds {
            add("sensor", "\(kind) count", topics.kind(outline.name, kind, "count"), both, Self.measurement)
            add(
                "binary_sensor", "\(kind) occupancy", topics.kind(outline.name, kind, "occupancy"), both, Self.occupancy
            )
        }
        for zone in outline.zones {
            add("sensor", "zone \(zone) count", topics.zone(outline.name, zone, "count"), both, Self.measurement)
            add(
                "binary_sensor", "zone \(zone) occupancy", topics.zone(outline.name, zone, "occupancy"), both,
                Self.occupancy)
        }
        for line in outline.lines {
            for way in ["in", "out"] {
                add("sensor", "line \(line) \(way)", topics.line(outline.name, line, way), both) { json in
                    json.member("state_class", "total_increasing")
                }
            }
        }
        return messages
    }

    // MARK: Entities

    private struct Entity {
        /// Home Assistant's kind of entity.
        var component: String
        var name: String
        /// The topic of its state below the device's.
        var path: String
        /// Topics that must all be `online`.
        var availability: [String]
    }

    private func message(
        _ entity: Entity, _ root: String, device: (inout JSONWriter) -> Void, more: (inout JSONWriter) -> Void
    ) -> (topic: String, payload: String) {
        var json = JSONWriter()
        json.object { json in
            json.member("name", entity.name)
            json.member("unique_id", "\(root)/\(entity.path)")
            json.member(entity.component == "image" ? "image_topic" : "state_topic", "\(root)/\(entity.path)")
            if !entity.availability.isEmpty {
                json.array("availability") { json in
                    for topic in entity.availability { json.object { $0.member("topic", topic) } }
                }
                json.member("availability_mode", "all")
            }
            more(&json)
            json.object("device") { json in
                json.array("identifiers") { $0.element(root) }
                json.member("manufacturer", "Glimpse")
                device(&json)
            }
            json.object("origin") { $0.member("name", "glimpsed-relay") }
        }
        return (
            "\(prefix)/\(entity.component)/\(TopicNames.level(root))/\(TopicNames.level(entity.path))/config",
            String(decoding: json.bytes, as: UTF8.self)
        )
    }

    private static func connectivity(_ json: inout JSONWriter) {
        json.member("device_class", "connectivity")
        json.member("entity_category", "diagnostic")
        json.member("payload_on", "online")
        json.member("payload_off", "offline")
    }

    private static func measurement(_ json: inout JSONWriter) { json.member("state_class", "measurement") }

    private static func occupancy(_ json: inout JSONWriter) { json.member("device_class", "occupancy") }

    private static func events(_ types: [String], _ json: inout JSONWriter) {
        json.array("event_types") { json in for type in types { json.element(type) } }
    }
}

/// The parts of a pipeline that have topics of their own.
package struct PipelineOutline: Sendable, Equatable {
    package var name: String
    /// In order, like zones and lines.
    package var kinds: [String]
    package var zones: [String]
    package var lines: [String]
}
