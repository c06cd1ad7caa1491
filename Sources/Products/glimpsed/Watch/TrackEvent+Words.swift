import GlimpseClient
import TerminalText

extension TrackEvent {
    /// What the feature is, for people and on one line: a barcode's text, an object's label; empty when there is nothing to say.
    var what: String {
        if let barcode { return barcode.label }
        return (object ?? scene)?.labels.first?.text.printable ?? ""
    }

    /// Where it is; empty when that is not known.
    var place: String {
        guard let box else { return "" }
        return "\(Int(box.width))x\(Int(box.height)) at \(Int(box.x)),\(Int(box.y))"
    }
}

extension Barcode {
    fileprivate var label: String {
        guard let format else { return "(not read)" }
        guard let display else { return "\(format) \(redacted == nil ? "(binary)" : "(redacted)")" }
        return "\(format) \(display.printable)"
    }
}
