import Testing

@testable import Packages

@Suite("Dependency")
struct DependencyTests {
  private func groups(_ value: String) -> [[Alternative]] {
    Array(value.utf8).withUnsafeBufferPointer { Alternative.groups(in: $0, 0..<$0.count) }
  }

  @Test("Groups, alternatives, qualifiers and constraints are read")
  func syntax() {
    #expect(
      groups("a, b:any(>=1:2-3~x)|c ( << 4 ) , d:i386") == [
        [Alternative(name: "a")],
        [
          Alternative(
            name: "b", architectureQualifier: "any",
            constraint: VersionConstraint(relation: .laterOrEqual, version: "1:2-3~x")),
          Alternative(
            name: "c", constraint: VersionConstraint(relation: .earlier, version: "4")),
        ],
        [Alternative(name: "d", architectureQualifier: "i386")],
      ])
  }

  @Test(
    "Every relation is read, the old spellings too",
    arguments: [
      ("<<", "<<"), ("<=", "<="), ("=", "="), (">=", ">="), (">>", ">>"), ("<", "<="), (">", ">="),
    ])
  func relations(symbol: String, read: String) {
    #expect(groups("a (\(symbol) 1)")[0][0].constraint?.relation.rawValue == read)
  }

  @Test(
    "A malformed clause keeps its text, and its neighbours are read",
    arguments: [
      "b (>= )", "b (1)", "b (=> 1)", "b (>= 1", "b >= 1", "b c", "(>= 1)", "b:", "-b", "b [amd64]",
      "b (>= 1 2)", "b (== 1)", "bö", "${x}", "b (>= 1) (<< 2)",
    ])
  func malformedClauses(clause: String) {
    let read = groups("a, \(clause) | c, d")
    #expect(read.map { $0.map(\.description) } == [["a"], [clause, "c"], ["d"]])
    #expect(read[1][0].malformedText == clause)
    #expect(read[1][1].malformedText == nil)
  }

  @Test("Empty clauses are passed over")
  func emptyClauses() {
    #expect(groups("").isEmpty && groups(" , ,, | ,").isEmpty)
    #expect(groups(",a,,b | ,| c,").map { $0.map(\.name) } == [["a"], ["b"], ["c"]])
  }

  @Test("The fields of needs come strongest first")
  func needs() throws {
    let text = stanza("a", "Suggests: s", "Recommends: r", "Depends: d", "Pre-Depends: p")
    let package = try #require(try database(text).package(named: "a"))
    #expect(package.dependencies.map(\.kind) == [.preDepends, .depends, .recommends, .suggests])
    #expect(package.dependencies.map(\.description) == ["p", "d", "r", "s"])
  }
}
