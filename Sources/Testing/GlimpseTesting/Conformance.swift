// SPDX-License-Identifier: Apache-2.0
import Conformance

/// The first violation in a complete stream, as the product's own check reports it; nil if the stream conforms.
///
/// - Parameter lines: with or without their newlines.
package func violation(in lines: [[UInt8]], isFiltered: Bool = false, types: Set<String>? = nil, isOpen: Bool = false)
    -> Violation?
{
    var check = ConformanceCheck(isFiltered: isFiltered, types: types, isOpen: isOpen)
    for line in lines { check.take(line.last == UInt8(ascii: "\n") ? line : line + [UInt8(ascii: "\n")]) }
    check.finish()
    return check.violation
}
