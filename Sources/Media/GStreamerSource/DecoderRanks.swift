// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Settings

/// A decoder of video or pictures that GStreamer has.
struct VideoDecoder: Equatable {
    enum Family: Equatable {
        case software, va, v4l2, otherHardware
    }

    /// Such as `avdec_h264`.
    let name: String
    let family: Family

    /// - Parameter isHardware: whether GStreamer's class of the element has the word `Hardware`.
    init(_ name: String, isHardware: Bool) {
        self.name = name
        family =
            switch (isHardware, name) {
            case (false, _): .software
            case (true, _) where name.hasPrefix("va"): .va
            case (true, _) where name.hasPrefix("v4l2"): .v4l2
            default: .otherHardware
            }
    }
}

/// The ranks by which `decodebin` chooses decoders. A chosen family goes first; software follows where that fails.
enum DecoderRanks {
    private static let none = Int(GST_RANK_NONE.rawValue)
    /// Above every decoder of Debian's packages.
    private static let first = 2 * Int(GST_RANK_PRIMARY.rawValue)

    /// The ranks that a choice changes.
    static func changes(for choice: DecoderChoice, of decoders: [VideoDecoder]) -> [String: Int] {
        guard choice != .auto else { return [:] }
        var ranks: [String: Int] = [:]
        for decoder in decoders where decoder.family != .software {
            // The `va` plugin goes before the older `vaapi` plugin.
            let isChosen = choice.family == decoder.family
            ranks[decoder.name] = isChosen ? first + (decoder.name.hasPrefix("vaapi") ? 0 : 1) : none
        }
        return ranks
    }

    /// Applies a choice to all sources of this process.
    static func apply(_ choice: DecoderChoice) {
        for (name, rank) in changes(for: choice, of: choice == .auto ? [] : installed) {
            GStreamerRuntime.rank(name, guint(rank))
        }
    }

    /// The decoders of this machine, by name.
    static var installed: [VideoDecoder] {
        guard let list = cgst_picture_decoders() else { return [] }
        defer { gst_plugin_feature_list_free(list) }
        return sequence(first: list, next: { $0.pointee.next }).compactMap { entry -> VideoDecoder? in
            guard let factory = entry.pointee.data else { return nil }
            return VideoDecoder(
                String(cString: cgst_feature_name(factory)), isHardware: cgst_is_hardware(factory) != 0)
        }.sorted { $0.name < $1.name }
    }
}

extension DecoderChoice {
    /// The family that goes first; nil if GStreamer chooses.
    var family: VideoDecoder.Family? {
        switch self {
        case .auto: nil
        case .software: .software
        case .va: .va
        case .v4l2: .v4l2
        }
    }

    /// Whether a device decodes.
    var isHardware: Bool { self == .va || self == .v4l2 }
}
