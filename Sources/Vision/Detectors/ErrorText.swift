/// Calls a C function that writes its complaint into a buffer, and gives the complaint; empty when there is none.
package func withErrorText(_ body: (UnsafeMutablePointer<CChar>, Int) -> Void) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
        guard let base = buffer.baseAddress else { return "" }
        base[0] = 0
        body(base, buffer.count)
        return String(cString: base)
    }
}
