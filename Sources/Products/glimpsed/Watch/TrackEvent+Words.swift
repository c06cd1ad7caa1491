// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import TerminalText

extension TrackEvent {
    /// The item's text for people on one line: a barcode's text, an object's label, a value; empty without one.
    var what: String {
        if let barcode { return barcode.label }
        if let value { return value.printable }
        return (object ?? scene)?.labels.first?.text.printable ?? ""
    }

    /// The size and position of the box; empty if unknown.
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
