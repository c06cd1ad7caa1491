// SPDX-License-Identifier: Apache-2.0
import Frames
import Settings

/// Falls back to software where the chosen hardware decoder does not work, and reports that once.
struct DecoderFallback {
    private var wanted = DecoderChoice.auto
    /// The choice in force.
    private(set) var choice = DecoderChoice.auto
    private var reason: String?
    private var hasReported = false

    /// Begins a run of the source.
    mutating func begin(_ choice: DecoderChoice) {
        self = DecoderFallback()
        (wanted, self.choice) = (choice, choice)
    }

    /// Takes an error that came before the first frame.
    ///
    /// - Parameter triedDecoders: the names of the decoders that have been tried.
    /// - Returns: whether the source starts again, in software. An error without a hardware decoder is none of its.
    mutating func takes(_ error: SourceError, triedDecoders: [String]) -> Bool {
        guard choice.isHardware,
            triedDecoders.contains(where: { VideoDecoder($0, isHardware: true).family == choice.family })
        else { return false }
        (choice, reason) = (.software, error.description)
        return true
    }

    /// - Parameter decoder: the decoder that took the newest picture; nil before that.
    /// - Returns: what people should know, once.
    mutating func takeRemark(atWork decoder: String?) -> String? {
        guard wanted.isHardware, !hasReported, let decoder else { return nil }
        hasReported = true
        guard VideoDecoder(decoder, isHardware: true).family != wanted.family else { return nil }
        let cause = reason.map { ": \($0)" } ?? ": no such decoder works here"
        return "warning: source.decoder = \"\(wanted.rawValue)\"\(cause); \(decoder) decodes instead"
    }
}
