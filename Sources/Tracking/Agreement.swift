import Observations

/// What two sightings say about each other besides where they are.
enum Agreement {
    /// They cannot be the same thing.
    case contradicts
    /// They may be.
    case silent
    /// They carry the same payload.
    case samePayload
}

extension Detection.Content {
    /// - Parameter other: what was seen later.
    func agreement(with other: Detection.Content) -> Agreement {
        switch (self, other) {
        case (.barcode(let known), .barcode(let seen)):
            guard known.isRead, seen.isRead else { return .silent }
            return known.format == seen.format && known.bytes == seen.bytes ? .samePayload : .contradicts
        case (.object(let known), .object(let seen)):
            return known.labels.first?.index == seen.labels.first?.index ? .silent : .contradicts
        case (.scene(let known), .scene(let seen)):
            return known.labels.first?.index == seen.labels.first?.index ? .silent : .contradicts
        case (.face, .face): return .silent
        default: return .contradicts
        }
    }
}

extension Barcode {
    /// A symbol that was only located has no payload: it is followed by where it is.
    var isRead: Bool { !bytes.isEmpty }
}

extension Detection {
    var hasPayload: Bool {
        if case .barcode(let barcode) = content { barcode.isRead } else { false }
    }

    /// Two symbols in one place with different payloads are two things.
    func contradicts(_ other: Detection) -> Bool {
        hasPayload && other.hasPayload && content.agreement(with: other.content) == .contradicts
    }

    /// This sighting, with what is known from an earlier one: a symbol that is only located now still says what it said.
    func keepingPayload(of known: Detection) -> Detection {
        guard case .barcode(let seen) = content, !seen.isRead, case .barcode(var read) = known.content, read.isRead
        else { return self }
        read.corners = seen.corners
        read.orientation = seen.orientation
        var detection = self
        detection.content = .barcode(read)
        return detection
    }
}
