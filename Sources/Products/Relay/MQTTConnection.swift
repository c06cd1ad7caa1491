// SPDX-License-Identifier: Apache-2.0
import CMosquitto
import Glibc
import GlimpseClient

/// The failure of a connection to a broker, for people. It has no password.
package struct MQTTError: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String
    /// Whether the message itself is the problem, so that another attempt is of no use.
    package var isAboutMessage = false
}

/// One connection to a broker by libmosquitto, which never connects again by itself. One thread at a time may use it.
///
/// Callbacks of libmosquitto only append to `reports`; the owner takes them after each `step`.
package final class MQTTConnection {
    package struct Options {
        package var host: String
        package var port: Int
        package var isEncrypted = false
        package var clientID: String
        package var user: String?
        package var password: String?
        /// PEM files.
        package var certificates: String?
        package var clientCertificate: String?
        package var clientKey: String?
        /// MQTT 5, or else 3.1.1.
        package var isVersionFive = true
        /// The retained message that the broker publishes when the connection breaks.
        package var will: (topic: String, payload: String)?
        /// The most messages without acknowledgement; the broker may set a lower limit.
        package var sendLimit = 200

        package init(host: String, port: Int, clientID: String) {
            self.host = host
            self.port = port
            self.clientID = clientID
        }
    }

    package enum Report: Sendable, Equatable {
        /// The broker's answer; 0: accepted.
        case answered(Int32)
        case disconnected(Int32)
        /// A reason of 128 and more: the broker refused the message for good.
        case acknowledged(id: Int32, reason: Int32)
        case received(topic: String, payload: [UInt8])
    }

    fileprivate var reports: [Report] = []
    /// MQTT 5: begins with the broker's answer.
    fileprivate var aliases = TopicAliases()
    private let handle: OpaquePointer
    private let isVersionFive: Bool

    /// Starts libmosquitto; called once per process before the first connection.
    package static func setUp() { mosquitto_lib_init() }

    /// Connects the socket, which blocks for at most the system's time limit. The broker's answer is a report.
    package init(_ options: Options) throws(MQTTError) {
        guard let handle = mosquitto_new(options.clientID, true, nil) else {
            throw MQTTError(description: "out of memory")
        }
        self.handle = handle
        isVersionFive = options.isVersionFive
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        setCallbacks()
        mosquitto_int_option(
            handle, MOSQ_OPT_PROTOCOL_VERSION, options.isVersionFive ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311)
        mosquitto_int_option(handle, MOSQ_OPT_SEND_MAXIMUM, Int32(options.sendLimit))
        mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        if let user = options.user { mosquitto_username_pw_set(handle, user, options.password) }
        if let will = options.will {
            let bytes = Array(will.payload.utf8)
            mosquitto_will_set(handle, will.topic, Int32(bytes.count), bytes, 1, true)
        }
        if options.isEncrypted {
            let status = mosquitto_tls_set(
                handle, options.certificates, options.certificates == nil ? "/etc/ssl/certs" : nil,
                options.clientCertificate, options.clientKey, nil)
            guard status == MOSQ_ERR_SUCCESS.rawValue else {
                throw MQTTError(description: "certificates: \(Self.text(status))")
            }
        }
        let status = mosquitto_connect_bind_v5(handle, options.host, Int32(options.port), 15, nil, nil)
        guard status == MOSQ_ERR_SUCCESS.rawValue else { throw MQTTError(description: Self.text(status)) }
    }

    deinit { mosquitto_destroy(handle) }

    private static func text(_ status: Int32) -> String {
        status == MOSQ_ERR_ERRNO.rawValue
            ? String(cString: strerror(errno)) : String(cString: mosquitto_strerror(status))
    }

    /// The broker's answer to a connection as text.
    package func refusal(_ reason: Int32) -> MQTTError {
        let text = isVersionFive ? mosquitto_reason_string(reason) : mosquitto_connack_string(reason)
        return MQTTError(description: "the broker refuses: \(text.map { String(cString: $0) } ?? "\(reason)")")
    }

    private func setCallbacks() {
        mosquitto_connect_v5_callback_set(handle) { _, context, reason, _, properties in
            var limit: UInt16 = 0
            mosquitto_property_read_int16(properties, Int32(MQTT_PROP_TOPIC_ALIAS_MAXIMUM.rawValue), &limit, false)
            MQTTConnection.from(context)?.aliases = TopicAliases(limit: limit)
            MQTTConnection.from(context)?.reports.append(.answered(reason))
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, context, reason, _ in
            MQTTConnection.from(context)?.reports.append(.disconnected(reason))
        }
        mosquitto_publish_v5_callback_set(handle) { _, context, id, reason, _ in
            MQTTConnection.from(context)?.reports.append(.acknowledged(id: id, reason: reason))
        }
        mosquitto_message_v5_callback_set(handle) { _, context, message, _ in
            guard let message = message?.pointee, let topic = message.topic else { return }
            let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
            MQTTConnection.from(context)?.reports.append(
                .received(topic: String(cString: topic), payload: Array(payload)))
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> MQTTConnection? {
        context.map { Unmanaged<MQTTConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Messages

    /// Publishes with QoS 1. libmosquitto holds messages back while the broker's receive maximum is reached.
    ///
    /// The topics of messages that are not retained are the frequent ones, so they get the topic aliases.
    ///
    /// - Parameters:
    ///   - expiry: MQTT 5: how long the broker keeps the message, in seconds; nil: for ever.
    ///   - position: MQTT 5: becomes the user properties `run_id` and `seq`.
    /// - Returns: the id that the acknowledgement names.
    package func publish(
        _ topic: String, _ payload: [UInt8], isRetained: Bool, expiry: UInt32? = nil, position: Position? = nil
    ) throws(MQTTError) -> Int32 {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        let alias = isRetained ? nil : aliases.alias(of: topic)
        if isVersionFive {
            if let alias {
                mosquitto_property_add_int16(&properties, Int32(MQTT_PROP_TOPIC_ALIAS.rawValue), alias.number)
            }
            if let expiry {
                mosquitto_property_add_int32(
                    &properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry)
            }
            if let position, let run = position.runID {
                let user = Int32(MQTT_PROP_USER_PROPERTY.rawValue)
                mosquitto_property_add_string_pair(&properties, user, "run_id", run)
                mosquitto_property_add_string_pair(&properties, user, "seq", "\(position.sequence)")
            }
        }
        var id: Int32 = 0
        let status = mosquitto_publish_v5(
            handle, &id, alias?.isKnown == true ? "" : topic, Int32(payload.count), payload, 1, isRetained, properties)
        guard status == MOSQ_ERR_SUCCESS.rawValue else {
            let isAboutMessage = [
                MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8,
                MOSQ_ERR_RETAIN_NOT_SUPPORTED, MOSQ_ERR_QOS_NOT_SUPPORTED,
            ].contains { $0.rawValue == status }
            throw MQTTError(description: Self.text(status), isAboutMessage: isAboutMessage)
        }
        if let alias, !alias.isKnown { aliases.published(topic, alias) }
        return id
    }

    package func subscribe(_ topic: String) throws(MQTTError) {
        let status = mosquitto_subscribe(handle, nil, topic, 1)
        guard status == MOSQ_ERR_SUCCESS.rawValue else { throw MQTTError(description: Self.text(status)) }
    }

    /// Ends the connection in order, so that the broker does not publish the will.
    package func disconnect() { mosquitto_disconnect(handle) }

    // MARK: Work

    /// Waits for the broker or for `wake`, for at most `timeout`, and does what is due.
    ///
    /// - Returns: the new reports, in order.
    /// - Throws: the connection is broken.
    package func step(_ timeout: Duration, wake: Wake) throws(MQTTError) -> [Report] {
        let socket = mosquitto_socket(handle)
        guard socket >= 0 else { throw MQTTError(description: "the connection is closed") }
        let events = Int16(POLLIN) | (mosquitto_want_write(handle) ? Int16(POLLOUT) : 0)
        var descriptors = [
            pollfd(fd: socket, events: events, revents: 0),
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = Int32(clamping: Int64((timeout / .milliseconds(1)).rounded(.up)))
        if poll(&descriptors, 2, max(0, milliseconds)) > 0, descriptors[1].revents != 0 { wake.reset() }
        var status = MOSQ_ERR_SUCCESS.rawValue
        if descriptors[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { status = mosquitto_loop_read(handle, 1) }
        if status == MOSQ_ERR_SUCCESS.rawValue, mosquitto_want_write(handle) {
            status = mosquitto_loop_write(handle, 1)
        }
        if status == MOSQ_ERR_SUCCESS.rawValue { status = mosquitto_loop_misc(handle) }
        defer { reports.removeAll(keepingCapacity: true) }
        let refused = reports.contains { if case .answered(let reason) = $0 { reason != 0 } else { false } }
        // The broker's answer says more than the end of the connection after it.
        guard status == MOSQ_ERR_SUCCESS.rawValue || refused else { throw MQTTError(description: Self.text(status)) }
        return reports
    }
}
