import Testing

@testable import Packages

@Suite("Package, with those that depend on it")
struct DependentsTests {
  private func dependents(
    _ database: PackageDatabase, _ name: String, _ need: Package.Need = .required
  ) throws -> [String] {
    let package = try #require(database.package(named: name))
    return package.dependents(need).compactMap { database.package(at: $0)?.displayName }
  }

  @Test("Packages that need one another are each other's dependents")
  func circles() throws {
    let database = try database(
      stanza("libc6", "Depends: libgcc-s1") + stanza("libgcc-s1", "Depends: libc6 (>= 2.35)")
        + stanza("self", "Depends: self"))
    #expect(try dependents(database, "libc6") == ["libgcc-s1"])
    #expect(try dependents(database, "libgcc-s1") == ["libc6"])
    #expect(try dependents(database, "self") == [])
  }

  @Test("Each dependent is reported once, in order, apart from those that only recommend")
  func needs() throws {
    let database = try database(
      stanza("z", "Pre-Depends: a", "Depends: a (>= 1), x | a", "Suggests: a") + stanza("a")
        + stanza("b", "Depends: c | a") + stanza("r", "Recommends: a"))
    #expect(try dependents(database, "a") == ["b", "z"])
    #expect(try dependents(database, "a", .wanted) == ["r", "z"])
  }

  @Test("Removed packages depend on nothing")
  func removed() throws {
    let database = try database(
      stanza("a") + stanza("b", status: "deinstall ok config-files", "Depends: a")
        + stanza("c", status: "install ok unpacked", "Depends: a"))
    #expect(try dependents(database, "a") == ["c"])
  }

  @Test("Who needs a provided name depends on its provider, if the version is right")
  func provides() throws {
    let database = try database(
      stanza("exim", "Provides: mta, smtpd (= 4.9)", "Depends: mta")
        + stanza("mutt", "Depends: mta | exim") + stanza("old", "Depends: smtpd (<< 4)")
        + stanza("new", "Depends: smtpd (>= 4)") + stanza("strict", "Depends: mta (>= 1)"))
    #expect(try dependents(database, "exim") == ["mutt", "new"])
    #expect(database.isVirtual("mta") && !database.isVirtual("exim") && !database.isVirtual("x"))
    #expect(database.providers(of: "mta").map(\.name) == ["exim"])
    let satisfied = database.allIndices.compactMap { database.package(at: $0) }.filter { package in
      package.dependencies.allSatisfy { package.isSatisfied($0) }
    }
    #expect(satisfied.map(\.name) == ["exim", "mutt", "new"])
  }

  @Test("A dependency means the depender's architecture unless it says otherwise")
  func architectures() throws {
    let database = try database(
      stanza("dpkg") + stanza("lib") + stanza("lib", architecture: "i386")
        + stanza("app64", "Depends: lib")
        + stanza("app32", architecture: "i386", "Depends: lib")
        + stanza("data", architecture: "all", "Depends: lib")
        + stanza("cross", "Depends: lib:i386") + stanza("tool", "Multi-Arch: foreign")
        + stanza("user", architecture: "i386", "Depends: tool")
        + stanza("perl", "Multi-Arch: allowed")
        + stanza("script", architecture: "i386", "Depends: perl:any")
        + stanza("module", architecture: "i386", "Depends: perl"))
    #expect(try dependents(database, "lib:amd64") == ["app64", "data"])
    #expect(try dependents(database, "lib:i386") == ["app32:i386", "cross"])
    #expect(try dependents(database, "tool") == ["user:i386"])
    #expect(try dependents(database, "perl") == ["script:i386"])
    let module = try #require(database.package(named: "module"))
    #expect(module.dependencies.allSatisfy { !module.isSatisfied($0) })
  }

  @Test("An alternative's candidates are those of its name and then its providers, in any state")
  func candidates() throws {
    let database = try database(
      stanza("a", status: "deinstall ok config-files") + stanza("b", "Provides: a")
        + stanza("u", "Depends: a, a (>= 1), nothing, b ("))
    let user = try #require(database.package(named: "u"))
    let alternatives = user.dependencies.flatMap(\.alternatives)
    let found = alternatives.map { user.candidates(for: $0).map(\.name) }
    #expect(found == [["a", "b"], ["a", "b"], [], []])
    #expect(alternatives.map { user.satisfier(of: $0)?.name } == ["b", nil, nil, nil])
  }
}
