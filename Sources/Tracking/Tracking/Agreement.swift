// SPDX-License-Identifier: Apache-2.0
import Observations

/// The agreement of two sightings apart from their places.
enum Agreement {
    /// They cannot be the same thing.
    case contradicts
    /// They may be.
    case silent
    /// They carry the same payload.
    case samePayload
}

/// The content of a detection apart from its place, as numbers.
struct Cues: Sendable, Equatable {
    var kind: FeatureKind
    /// The class of the best label.
    var label: Int?
    /// A hash of the payload, so that most comparisons need no bytes; nil: not read, or of a kind without payloads.
    var payload: UInt64?
}

extension Detection.Content {
    var cues: Cues {
        if case .barcode(let barcode) = self {
            return Cues(kind: .barcode, payload: barcode.isRead ? barcode.payloadHash : nil)
        }
        if case .custom(let feature) = self {
            return Cues(kind: feature.kind, payload: feature.value.map { FNV1a.hash($0.utf8) })
        }
        return Cues(kind: kind, label: labels.first?.index)
    }

    /// Whether two symbols that were read say the same, or two features of another kind have the same value.
    func hasSamePayload(as other: Detection.Content) -> Bool {
        if case .custom(let one) = self, case .custom(let two) = other {
            return one.value != nil && one.kind == two.kind && one.value == two.value
        }
        guard case .barcode(let one) = self, case .barcode(let two) = other else { return false }
        return one.isRead && one.format == two.format && one.bytes == two.bytes
    }
}

extension Barcode {
    /// A symbol that was only located has no payload: it is followed by where it is.
    var isRead: Bool { !bytes.isEmpty }

    var payloadHash: UInt64 { FNV1a.hash(bytes) }
}

/// Fowler, Noll, Vo: FNV-1a, 64 bits.
private enum FNV1a {
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

extension Detection {
    var hasPayload: Bool {
        switch content {
        case .barcode(let barcode): barcode.isRead
        case .custom(let feature): feature.value != nil
        case .face, .object, .scene: false
        }
    }

    /// Two symbols in one place with different payloads are two things, and so are two labels of one picture.
    func contradicts(_ other: Detection) -> Bool {
        if case .scene(let mine) = content, case .scene(let theirs) = other.content {
            return mine.labels.first?.index != theirs.labels.first?.index
        }
        return hasPayload && other.hasPayload && !content.hasSamePayload(as: other.content)
    }

    /// This detection without the value of its symbol.
    var withoutPayload: Detection {
        guard case .barcode(let barcode) = content else { return self }
        return with(
            .barcode(
                Barcode(format: nil, raw: nil, bytes: [], corners: barcode.corners, orientation: barcode.orientation)))
    }

    /// This sighting with the add-on that an earlier one read, where this one has the same symbol without it.
    func keepingAddOn(of known: Detection) -> Detection {
        guard case .barcode(var seen) = content, seen.addOn == nil, case .barcode(let read) = known.content,
            read.addOn != nil, content.hasSamePayload(as: known.content)
        else { return self }
        seen.addOn = read.addOn
        return with(.barcode(seen))
    }

    private func with(_ content: Content) -> Detection {
        var detection = self
        detection.content = content
        return detection
    }
}
