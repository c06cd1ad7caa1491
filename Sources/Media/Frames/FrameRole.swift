// SPDX-License-Identifier: Apache-2.0
/// How a frame came out of a source that may idle.
package enum FrameRole: UInt8, Sendable, CaseIterable {
    /// In the stream's order, as soon as it was decoded.
    case ordinary
    /// A key frame of a source that idles. The reader answers it: `SourceIdling.answer`.
    case glance
    /// A picture of a source that idles and drops the pictures between two samples. It does not come again.
    case sample
    /// Decoded after the fact. Readers must see every frame of this role, so none may replace it.
    case past
    /// Decoded again, because later frames depend on it. Readers have seen it already.
    case again
}

/// A source that can give fewer frames while the picture is at rest. Any thread may call the methods.
package protocol SourceIdling: AnyObject, Sendable {
    /// Whether the source may idle. `false` ends idling: every frame since the last answered key frame follows, in the
    /// role `past`, as far as the source holds frames.
    func mayIdle(_ rests: Bool)

    /// Answers the newest frame of the role `glance`. With `isChanged`, that frame comes again in its turn, after every
    /// frame since the key frame before it.
    func answer(isChanged: Bool)

    /// The number of frames so far, those that nobody decoded included. By it a reader tells a source that idles from
    /// a silent one.
    var arrived: UInt64 { get }

    /// Why the source does not idle for now; nil if it can.
    var obstacle: String? { get }
}

/// A source of frames that may idle.
package protocol IdlingFrameSource: FrameSource {
    /// nil before the start, and if the source never idles.
    var idling: (any SourceIdling)? { get }
}
