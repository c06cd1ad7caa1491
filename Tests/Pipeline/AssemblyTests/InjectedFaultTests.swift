// SPDX-License-Identifier: Apache-2.0
import Assembly
import Testing

@Suite struct InjectedFaultTests {
    @Test(arguments: InjectedFault.Kind.allCases) func everyInjectedFaultHasAName(kind: InjectedFault.Kind) {
        let fault = InjectedFault("\(kind.rawValue):barcode:20")
        #expect(fault?.kind == kind && fault?.detector == "barcode" && fault?.frame == 20)
    }

    @Test(arguments: [nil, "", "loop", "loop:face", "loop:face:x", "loop:face:-1", "dance:face:1", "loop:face:1:2"])
    func otherTextsAreNoInjectedFault(text: String?) {
        #expect(InjectedFault(text) == nil)
    }
}
