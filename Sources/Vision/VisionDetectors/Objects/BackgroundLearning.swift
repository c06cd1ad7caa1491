// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif

/// How fast a background is learnt, in the stream's own time, and when what differs from it may be believed.
struct BackgroundLearning: Sendable {
    /// Seconds of the stream before anything is reported; in them every picture counts the same.
    static let warmUp = 0.5
    /// When more of the picture than this is not background, the light or the camera has changed, and the background is
    /// learnt anew.
    static let greatestChange: Float = 0.7
    /// A longer step of time, or one backwards, is another scene. Seconds.
    static let longestStep = 5.0

    /// In seconds: a picture's weight falls to 1/e in it.
    private let timeConstant: Double
    private var start = 0.0
    private var last: Double?
    /// The pictures of the warm-up so far, this one included.
    private var pictures = 0
    private var now = 0.0

    /// - Parameters:
    ///   - stillAfter: after so many seconds a new thing that does not move is background.
    ///   - backgroundShare: the share of what was seen that is background. A new thing is, once its own share of `1 -
    ///     e^(-t / T)` exceeds what this leaves over, which gives `T`.
    init(stillAfter: Double, backgroundShare: Double) {
        timeConstant = stillAfter / -log(backgroundShare)
    }

    mutating func startAnew() {
        last = nil
    }

    /// The next picture's weight, 0...1; 1 begins anew. To be asked once for each picture.
    mutating func rate(at seconds: Double) -> Double {
        defer { last = seconds }
        now = seconds
        guard let last, seconds >= last, seconds - last <= Self.longestStep else {
            start = seconds
            pictures = 1
            return 1
        }
        let steady = 1 - exp(-(seconds - last) / timeConstant)
        guard isWarmingUp else { return steady }
        pictures += 1
        return max(steady, 1 / Double(pictures))
    }

    /// Whether the differences from the background in this picture are reported.
    mutating func isTrusted(moving: Float) -> Bool {
        guard !isWarmingUp else { return false }
        if moving > Self.greatestChange { startAnew() }
        return moving <= Self.greatestChange
    }

    private var isWarmingUp: Bool { now - start < Self.warmUp }
}
