import Observations

extension TrackEvent {
    /// How much of the item a line has room for.
    enum ItemDetail {
        /// In a `completed` line twice: as `last` and under its kind, as in every other line.
        case full
        /// Not twice.
        case once
        /// Without all of its payload.
        case cut
    }

    /// The members of a track line after the envelope.
    func encode(to json: inout JSONWriter, barcodes: inout BarcodeEncoder, item: ItemDetail) {
        frame.encode(to: &json)
        json.member("detector", detector)
        json.member("kind", track.kind.rawValue)
        encodeTrack(to: &json)
        encodePosition(to: &json)
        json.member("count", count)
        if !zones.isEmpty { json.array("zones") { json in for zone in zones { json.element(zone) } } }
        if case .completed(let reason) = phase {
            json.member("reason", reason.rawValue)
            json.member("duration_ms", (track.lastSeen.nanoseconds &- track.firstSeen.nanoseconds) / 1_000_000)
            json.member("frames", track.hits)
            json.key("last")
            track.encodeItem(to: &json, barcodes: &barcodes, isCut: item == .cut)
            best?.encodeBest(to: &json)
        }
        if carriesItem(item) {
            switch track.kind {
            case .face: json.key("face")
            case .barcode: json.key("barcode")
            case .object: json.key("object")
            case .scene: json.key("scene")
            }
            track.encodeItem(to: &json, barcodes: &barcodes, isCut: item == .cut)
        }
    }

    /// A missing face has no landmarks now; what a barcode says stays true.
    private func carriesItem(_ item: ItemDetail) -> Bool {
        switch phase {
        case .detected, .update: true
        case .missing: track.kind != .face
        case .completed: item == .full
        }
    }

    private func encodeTrack(to json: inout JSONWriter) {
        json.object("track") { json in
            json.member("id", track.id.description)
            json.member("age_frames", track.ageFrames)
            json.member("hits", track.hits)
            json.member("missing_frames", track.missingFrames)
            json.member("first_seen", track.firstSeen)
            json.member("last_seen", track.lastSeen)
            if let previous = track.previous {
                json.object("previous_id") { json in
                    json.member("id", previous.id.description)
                    json.member("score", previous.score)
                }
            }
            if track.hasFocus { json.member("focus", true) }
        }
    }

    private func encodePosition(to json: inout JSONWriter) {
        let (width, height) = (Float(frame.width), Float(frame.height))
        if let box = track.box.clipped(width: width, height: height) {
            json.object("box") { box.encode(to: &$0) }
            json.object("nbox") { json in
                Box(x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height)
                    .encode(to: &json)
            }
        }
        if phase == .missing, track.isPredicted { json.member("predicted", true) }
        if phase != .missing, case .barcode(let barcode) = track.detection.content {
            barcode.corners.encode(to: &json)
        }
        guard phase == .detected || phase == .update else { return }
        if let velocity = track.velocity, velocity.isFinite {
            json.object("velocity") { velocity.encode(to: &$0) }
        }
        if let smoothed = track.smoothedBox?.clipped(width: width, height: height) {
            json.object("smoothed_box") { smoothed.encode(to: &$0) }
        }
        if let confidence = track.detection.toldConfidence { json.member("confidence", confidence) }
        if track.isWeak { json.member("weak", true) }
    }
}

extension FrameInfo {
    func encode(to json: inout JSONWriter) {
        json.object("frame") { json in
            json.member("epoch", epoch)
            json.member("seq", sequence)
            json.member("pts_ns", presentationTime)
            json.member("width", width)
            json.member("height", height)
            json.member("rotation", rotation)
            json.member("mirrored", mirrored)
        }
    }
}
