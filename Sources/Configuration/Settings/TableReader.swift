// SPDX-License-Identifier: Apache-2.0
import Observations

/// The shared state of one file's decoding: the lines of keys, and the errors so far.
final class DecodingContext {
    let file: String?
    private let lines: TOMLLines
    /// The replacement of `file:line` for values from arguments: their path and the argument.
    private let arguments: [(path: [String], name: String)]
    private(set) var errors: [ConfigurationError] = []
    /// Problems that leave the file valid.
    private(set) var warnings: [ConfigurationError] = []
    /// The kinds that zones and pictures may name: the built-in ones, and those of the file's own detectors.
    var kinds = Set(FeatureKind.builtIn)

    init(file: String?, lines: TOMLLines = TOMLLines(), arguments: [(path: [String], name: String)] = []) {
        self.file = file
        self.lines = lines
        self.arguments = arguments
    }

    /// `place` is what to give the line of, if that is not the key: an element of its list.
    func report(_ path: [String], at place: [String]? = nil, _ problem: String, suggestion: String? = nil) {
        let place = place ?? path
        let key = dotted(path)
        if let argument = argument(for: place) {
            errors.append(.init(file: argument, key: key, problem: problem, suggestion: suggestion))
        } else {
            errors.append(
                .init(file: file, line: lines.nearest(to: place), key: key, problem: problem, suggestion: suggestion))
        }
    }

    func warn(_ path: [String], _ problem: String, suggestion: String) {
        warnings.append(
            .init(
                file: argument(for: path) ?? file, line: argument(for: path) == nil ? lines.nearest(to: path) : nil,
                key: dotted(path), problem: problem, suggestion: suggestion))
    }

    /// The argument that gave the value at `path` or a part of it that the file has not.
    func argument(for path: [String]) -> String? {
        arguments.last { path.starts(with: $0.path) || ($0.path.starts(with: path) && lines[path] == nil) }?.name
    }

    /// The line of a key that stands in the file itself.
    func line(of path: [String]) -> Int? { lines[path] }

    /// By line; those without one first, those of arguments last.
    func throwIfAny() throws(ConfigurationErrors) {
        guard !errors.isEmpty else { return }
        let order = errors.enumerated().sorted {
            (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
        }
        var shown = order.prefix(Self.mostErrors).map(\.element)
        if order.count > shown.count {
            shown.append(.init(file: file, problem: "and \(order.count - shown.count) more problems"))
        }
        throw ConfigurationErrors(shown)
    }

    /// Nobody reads more; a file with more is not configuration.
    private static let mostErrors = 100

    private func rank(_ error: ConfigurationError) -> Int {
        error.line ?? (error.file == file ? 0 : Int.max)
    }
}

/// One table. Each key that is asked for counts as known; `finish` reports the others.
package final class TableReader {
    let context: DecodingContext
    let path: [String]
    private let members: [String: TOMLNode]
    private var known: Set<String> = []

    init(_ members: [String: TOMLNode], path: [String] = [], context: DecodingContext) {
        self.members = members
        self.path = path
        self.context = context
    }

    var keys: [String] { members.keys.sorted() }

    func has(_ key: String) -> Bool { members[key] != nil }

    /// The value, or nil if the key is absent or wrong (then reported).
    func value<Value>(_ key: String, _ format: ValueFormat<Value>) -> Value? {
        known.insert(key)
        guard let node = members[key] else { return nil }
        do throws(ValueProblem) {
            return format.resolve(try format.read(node)) { resolve($0, key: key) }
        } catch {
            let name = error.element.map { "\(key)[\($0)]" } ?? key
            let place = path + [key] + (error.element.map { [String($0)] } ?? [])
            context.report(path + [key], at: place, "\(name) \(error.text)", suggestion: error.suggestion)
            return nil
        }
    }

    /// Replaces the default if the key is there and right.
    func read<Value>(_ key: String, _ format: ValueFormat<Value>, into setting: inout Value) {
        if let value = value(key, format) { setting = value }
    }

    func read<Value>(_ key: String, _ format: ValueFormat<Value>, into setting: inout Value?) {
        if let value = value(key, format) { setting = value }
    }

    /// Like `value`, and reports an absent key.
    func required<Value>(_ key: String, _ format: ValueFormat<Value>, example: String) -> Value? {
        if !has(key) { report(key, "\(key) is missing", suggestion: "such as \(key) = \(example)") }
        return value(key, format)
    }

    /// A relative path in a file starts at that file's folder. One that was given by argument starts at the working
    /// directory.
    private func resolve(_ path: String, key: String) -> String {
        let isArgument = context.argument(for: self.path + [key]) != nil
        let folder = isArgument ? nil : context.file.flatMap(FilePath.folder)
        return FilePath.absolute(folder.map { FilePath.join($0, path) } ?? path)
    }

    /// The reader of a table inside this one; nil if it is absent or no table (then reported).
    func table(_ key: String) -> TableReader? {
        known.insert(key)
        switch members[key] {
        case nil: return nil
        case .table(let members): return TableReader(members, path: path + [key], context: context)
        case .some(let node):
            let header = dotted(path + [key])
            report(key, "\(key) must be a table, not \(node.typeName)", suggestion: "write [\(header)]")
            return nil
        }
    }

    /// The readers of `[[key]]`; none if it is absent or no array of tables (then reported).
    func tables(_ key: String) -> [TableReader] {
        known.insert(key)
        guard let node = members[key] else { return [] }
        guard case .array(let nodes) = node else {
            report(key, "\(key) must be tables, not \(node.typeName)", suggestion: "write [[\(key)]]")
            return []
        }
        return nodes.enumerated().compactMap { index, node in
            if case .table(let members) = node {
                return TableReader(members, path: path + [key, "\(index)"], context: context)
            }
            report(key, "\(key)[\(index)] must be a table, not \(node.typeName)", suggestion: "write [[\(key)]]")
            return nil
        }
    }

    /// Reports `problem` at the key if it is there, else at the table.
    func report(_ key: String, _ problem: String, suggestion: String? = nil) {
        known.insert(key)
        context.report(path + [key], problem, suggestion: suggestion)
    }

    /// Lets a key pass unread, because another error makes it impossible to judge.
    func ignore(_ key: String) {
        known.insert(key)
    }

    /// Reports every key that nobody asked for. `hints` replace the nearest key as advice.
    func finish(hints: [String: String] = [:]) {
        for key in keys where !known.contains(key) {
            let problem = members[key].map(\.isTable) == true ? "unknown table" : "unknown key"
            let advice =
                hints[key] ?? didYouMean(key, among: known) ?? "one of " + known.sorted().joined(separator: ", ")
            context.report(path + [key], "\(problem) \(quoted(key))", suggestion: advice)
        }
    }
}

extension TOMLNode {
    fileprivate var isTable: Bool {
        if case .table = self { true } else { false }
    }
}
