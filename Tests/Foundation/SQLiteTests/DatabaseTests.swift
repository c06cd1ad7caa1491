// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import SQLite
import Testing

/// A connection to SQLite: values, errors, transactions.
@Suite struct DatabaseTests {
    private let scope = TestScope()

    private func database(_ name: String = "a.sqlite", _ mode: Database.Mode = .readWrite) throws -> Database {
        try Database(path: scope.path(name), mode)
    }

    /// The result code of the error that `body` throws.
    private func code(_ body: () throws -> Void) -> CInt? {
        do {
            try body()
            return nil
        } catch {
            return (error as? DatabaseError).map { $0.code & 0xFF }
        }
    }

    @Test func storedDatabaseValuesReadBackEqual() throws {
        let database = try database()
        try database.execute("CREATE TABLE t (a, b, c, d, e)")
        let values: [DatabaseValue] = [
            .integer(.min), .text("grün \u{0}\u{1F600}"), .blob([0, 255, 0]), .null, DatabaseValue(bits: .max),
        ]
        try database.run("INSERT INTO t VALUES (?, ?, ?, ?, ?)", values)
        try database.run("INSERT INTO t VALUES (?, ?, ?, ?, ?)", [.blob([]), .text(""), .integer(0), .null, .null])
        let rows = try database.all("SELECT * FROM t")
        #expect(rows.count == 2)
        #expect((0..<5).map { rows[0][$0] } == values && rows[0]["e"].bits == .max)
        #expect(rows[1]["a"] == .blob([]) && rows[1]["b"] == .text("") && rows[1]["d"] == .null)
        // Places and columns that do not exist are null, and a value of another class is nil.
        #expect(rows[0][5] == .null && rows[0]["f"] == .null && rows[0][-1] == .null)
        #expect(rows[0]["a"].text == nil && rows[0]["b"].blob == nil && rows[0]["c"].integer == nil)
    }

    @Test func aRepeatedStatementForgetsItsValues() throws {
        let database = try database()
        try database.execute("CREATE TABLE t (a)")
        for number in 0..<100 { try database.run("INSERT INTO t VALUES (?)", [DatabaseValue(number)]) }
        #expect(try database.first("SELECT count(*), sum(a) FROM t")?[1].integer == 4950)
        #expect(try database.first("SELECT a FROM t WHERE a > ?", [.integer(99)]) == nil)
    }

    @Test func wrongSQLStatementsThrow() throws {
        let database = try database()
        #expect(code { try database.execute("PICK 1") } == 1)
        #expect(code { _ = try database.rows("SELECT * FROM nowhere") } == 1)
        #expect(code { try database.run("SELECT ?, ?", [.null]) } == 25)
        #expect(code { try database.run("", []) } != nil)
        database.close()
        #expect(code { try database.execute("SELECT 1") } == 21)
        #expect(code { _ = try self.database("no/such/folder/a.sqlite") } == 14)
        scope.write("text.sqlite", String(repeating: "this is no database. ", count: 100))
        do {
            try self.database("text.sqlite").execute("SELECT * FROM sqlite_master")
            Issue.record("a text is no database")
        } catch let error as DatabaseError {
            #expect(error.isCorrupt && "\(error)".contains("(SQLite 26)"))
        }
    }

    @Test func aTransactionIsWholeOrUndone() throws {
        struct Refusal: Error {}
        let database = try database()
        try database.execute("CREATE TABLE t (a UNIQUE)")
        try database.transaction { try database.run("INSERT INTO t VALUES (?)", [.integer(1)]) }
        #expect(throws: Refusal.self) {
            try database.transaction {
                try database.run("INSERT INTO t VALUES (?)", [.integer(2)])
                throw Refusal()
            }
        }
        #expect(
            code {
                try database.transaction {
                    try database.run("INSERT INTO t VALUES (?)", [.integer(3)])
                    try database.run("INSERT INTO t VALUES (?)", [.integer(1)])
                }
            } == 19)
        #expect(try database.all("SELECT a FROM t").map { $0[0].integer } == [1])
        // The connection goes on after each of them.
        try database.transaction { try database.run("INSERT INTO t VALUES (?)", [.integer(2)]) }
        #expect(try database.all("SELECT a FROM t").count == 2)
    }

    @Test func aReaderSeesOneStateWhileAnotherConnectionWrites() throws {
        let writer = try database()
        try writer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        let reader = try database("a.sqlite", .readOnly)
        func count() throws -> Int64? { try reader.first("SELECT count(*) FROM t")?[0].integer }
        try reader.transaction(.reading) {
            #expect(try count() == 1)
            try writer.execute("INSERT INTO t VALUES (2)")
            #expect(try count() == 1)
        }
        #expect(try count() == 2)
        #expect(code { try reader.execute("INSERT INTO t VALUES (3)") } == 8)
    }

    @Test func anImmutableDatabaseIsReadByAnyPath() throws {
        let name = "a ?#%41ü.sqlite"
        let database = try database(name)
        try database.execute("CREATE TABLE t (a); INSERT INTO t VALUES (7)")
        database.close()
        let reader = try self.database(name, .immutable)
        #expect(try reader.first("SELECT a FROM t")?[0].integer == 7)
        #expect(code { try reader.execute("DELETE FROM t") } == 8)
    }
}
