import Detectors

/// Calls a C function that writes its complaint into a buffer, and gives the complaint.
func withErrorText(_ body: (UnsafeMutablePointer<CChar>, Int) -> Void) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
        buffer.initialize(repeating: 0)
        guard let base = buffer.baseAddress else { return "" }
        body(base, buffer.count)
        return String(cString: base)
    }
}
