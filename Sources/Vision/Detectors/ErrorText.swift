// SPDX-License-Identifier: Apache-2.0
/// Calls a C function that writes its error into a buffer, and returns the error; empty without one.
package func withErrorText(_ body: (UnsafeMutablePointer<CChar>, Int) -> Void) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
        guard let base = buffer.baseAddress else { return "" }
        base[0] = 0
        body(base, buffer.count)
        return String(cString: base)
    }
}
