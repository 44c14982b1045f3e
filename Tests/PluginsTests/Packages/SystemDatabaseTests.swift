import Foundation
import TestSupport
import Testing

@testable import Packages

@Suite("PackageDatabase, of this machine", .enabled(if: hasDpkg))
struct SystemDatabaseTests {
  @Test("Names, versions, states and architectures are those that dpkg-query prints, in its order")
  func agreesWithDpkgQuery() async throws {
    let database = try await PackageDatabase.load(path: systemStatus)
    let format = [
      "${Package}", "${binary:Package}", "${Version}", "${Status}", "${Architecture}",
      "${Section}", "${Priority}", "${Installed-Size}", "${source:Package}", "${Homepage}",
      "${binary:Summary}",
    ].joined(separator: "\t")
    let expected = try await Program.run("/usr/bin/dpkg-query", ["-W", "-f=\(format)\n"]).output
    let actual = database.allIndices.compactMap { database.package(at: $0) }.map { package in
      let size = package.installedSize.map { String($0) } ?? ""
      return [
        package.name, package.displayName, package.version,
        package.statusWords.joined(separator: " "), package.architecture, package.section ?? "",
        package.priority ?? "", size, package.source, package.homepage ?? "", package.summary,
      ].joined(separator: "\t")
    }
    #expect(!actual.isEmpty)
    // dpkg-query keeps the blanks that a few summaries end with.
    let rows = expected.split(separator: "\n").map { row in
      String(row.reversed().drop { $0 == " " }.reversed())
    }
    #expect(actual.count == rows.count)
    for (ours, theirs) in zip(actual, rows) where ours != theirs {
      Issue.record("ours: \(ours)\ndpkg: \(theirs)")
    }
  }

  @Test("Every dependency of a sound system is parsed, satisfied, and printed as it stands")
  func dependenciesAreSatisfied() async throws {
    let database = try await PackageDatabase.load(path: systemStatus)
    let isSound = try await Program.run("/usr/bin/dpkg", ["--audit"]).output.isEmpty
    for index in database.allIndices {
      let package = try #require(database.package(at: index))
      for kind in Dependency.Kind.allCases {
        let groups = package.dependencies(kind)
        let printed = groups.map(\.description).joined(separator: ", ")
        #expect(printed == package.field(kind.rawValue) ?? "")
        #expect(groups.allSatisfy { $0.alternatives.allSatisfy { $0.malformedText == nil } })
      }
      guard isSound, package.isInstalled else { continue }
      let needed = package.dependencies(.preDepends) + package.dependencies(.depends)
      for group in needed {
        #expect(package.isSatisfied(group), "\(package.name) needs \(group)")
      }
    }
  }

  @Test("Whoever is satisfied by a package is among its dependents")
  func dependentsMirrorDependencies() async throws {
    let database = try await PackageDatabase.load(path: systemStatus)
    var dependents: [Int32: Set<Int32>] = [:]
    for index in database.allIndices {
      let package = try #require(database.package(at: index))
      let list = package.dependents()
      #expect(list == Set(list).sorted() && !list.contains(index))
      dependents[index] = Set(list)
    }
    for index in database.allIndices {
      let package = try #require(database.package(at: index))
      let groups = package.dependencies(.preDepends) + package.dependencies(.depends)
      for alternative in groups.flatMap(\.alternatives) {
        guard let other = package.satisfier(of: alternative), other != package else { continue }
        #expect(dependents[other.index]?.contains(index) == true, "\(package.id) \(other.id)")
      }
    }
  }
}
