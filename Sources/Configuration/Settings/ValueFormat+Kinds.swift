// SPDX-License-Identifier: Apache-2.0
import Observations

extension ValueFormat<FeatureKind> {
    static var kind: Self {
        kind("kind", "a letter of a-z, then up to 31 of a-z, 0-9 and _; no field of an event line")
    }

    /// A kind that this project has a detector for.
    static var builtInKind: Self {
        let names = FeatureKind.builtIn.map(\.rawValue)
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        return kind(list, "one of \(list)").checked { kind throws(ValueProblem) in
            guard kind.isBuiltIn else {
                throw .init(
                    "must be one of \(list), not \(quoted(kind.rawValue))",
                    suggestion: didYouMean(kind.rawValue, among: names))
            }
        }
    }

    /// A kind that this project has no detector for.
    static var customKind: Self {
        kind.checked("a name of `a-z`, `0-9` and `_`, and no built-in kind") { kind throws(ValueProblem) in
            guard !kind.isBuiltIn else {
                throw .init("must not be \(quoted(kind.rawValue)), which is a built-in kind")
            }
        }
    }

    private static func kind(_ values: String, _ form: String) -> Self {
        .init(values, { .string($0.rawValue) }) { node throws(ValueProblem) in
            guard case .string(let text) = node else { throw .wrongType(form, node) }
            guard let kind = FeatureKind(rawValue: text) else { throw .init("must be \(form), not \(quoted(text))") }
            return kind
        }
    }
}

extension ValueFormat<Set<FeatureKind>> {
    static var kinds: Self {
        ValueFormat<[FeatureKind]>.list(.kind).map(back: { kinds in kinds.sorted { $0.rawValue < $1.rawValue } }) {
            Set($0)
        }
    }
}

extension TableReader {
    /// Reports the kinds under `kinds` that no detector gives.
    func checkKinds(_ kinds: some Sequence<FeatureKind>) {
        let names = context.kinds.map(\.rawValue).sorted()
        for kind in kinds where !context.kinds.contains(kind) {
            report(
                "kinds", "kinds has \(quoted(kind.rawValue)), which no detector gives",
                suggestion: didYouMean(kind.rawValue, among: names) ?? "one of \(names.joined(separator: ", "))")
        }
    }
}
