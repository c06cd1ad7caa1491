import Conformance

/// What is wrong with a stream from its first line to its last, by the product's own judgement; nil when it conforms.
///
/// - Parameter lines: without their newlines, or with.
package func violation(in lines: [[UInt8]], isFiltered: Bool = false, types: Set<String>? = nil, isOpen: Bool = false)
    -> Violation?
{
    var check = ConformanceCheck(isFiltered: isFiltered, types: types, isOpen: isOpen)
    for line in lines { check.take(line.last == UInt8(ascii: "\n") ? line : line + [UInt8(ascii: "\n")]) }
    check.finish()
    return check.violation
}
