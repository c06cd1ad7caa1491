// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// The modules that the page loads at its start.
@Suite struct PageModuleTests {
    /// A module that index.html does not name is found only when the one that imports it has come.
    @Test func thePageNamesAllModulesOfItsStart() throws {
        let folder = "\(Checkout.root)/web"
        let page = String(decoding: try TestFile.read("\(folder)/index.html"), as: UTF8.self)
        let named = page.matches(of: /rel="modulepreload" href="\/modules\/(\w+\.js)"/).map { String($0.1) }
        var needed: Set<String> = []
        var new = ["main.js"]
        while let module = new.popLast() {
            guard needed.insert(module).inserted else { continue }
            let text = String(decoding: try TestFile.read("\(folder)/modules/\(module)"), as: UTF8.self)
            // `import(...)` in a function is for later.
            new += text.matches(of: /(?m)^(?:import|export) (?:.* from )?"\.\/(\w+\.js)"/).map { String($0.1) }
        }
        #expect(needed.count > 1)
        #expect(Set(named) == needed)
        #expect(named.count == needed.count)
    }
}
