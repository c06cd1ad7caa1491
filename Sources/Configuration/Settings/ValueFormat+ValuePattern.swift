// SPDX-License-Identifier: Apache-2.0
import BarcodeValues

extension ValueFormat<ValuePattern> {
    static var valuePattern: Self {
        ValueFormat<String>.nonEmptyText.map("pattern", back: \.text) { text throws(ValueProblem) in
            do throws(ValuePattern.Problem) {
                return try ValuePattern(text)
            } catch {
                throw ValueProblem(error.text)
            }
        }
    }
}
