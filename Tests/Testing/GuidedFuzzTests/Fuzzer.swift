// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The target that `GLIMPSE_FUZZ_TARGET` names.
private let target: FuzzTarget? = {
    guard let name = getenv("GLIMPSE_FUZZ_TARGET").map({ String(cString: $0) }) else { return nil }
    return FuzzTarget.all.first { $0.name == name }
}()

/// libFuzzer calls it first. Without a target it lists the targets, and with `GLIMPSE_FUZZ_WORDS` the target's words.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeRawPointer, _ arguments: UnsafeRawPointer) -> CInt {
    guard let target else {
        for target in FuzzTarget.all { print(target.name, target.longest) }
        exit(0)
    }
    if getenv("GLIMPSE_FUZZ_WORDS") != nil {
        print(target.dictionary, terminator: "")
        exit(0)
    }
    return 0
}

/// libFuzzer calls it with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ length: Int) -> CInt {
    do {
        try target?.check(Array(UnsafeBufferPointer(start: bytes, count: length)))
    } catch {
        let text = Array("broken property: \(error)\n".utf8)
        write(STDERR_FILENO, text, text.count)
        abort()
    }
    return 0
}
