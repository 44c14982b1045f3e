import Foundation
import TestSupport
import Testing

@testable import Packages

@Suite("generate-status.py", .enabled(if: hasPython))
struct GeneratorTests {
  static let script = packageFolder.appendingPathComponent("Benchmarks/generate-status.py").path

  @Test("The same number gives the same sorted file, with circles, providers and removed packages")
  func isDeterministicAndRealistic() async throws {
    let generated = try await Program.run(python, [Self.script, "2000"])
    #expect(generated.status == 0)
    let text = generated.output
    #expect(try await Program.run(python, [Self.script, "2000"]).output == text)
    let database = try database(text)
    try #require(database.count == 2000)
    #expect((600...1000).contains(text.utf8.count / database.count))
    #expect(database.installedCount < 2000 && database.installedCount > 1800)
    let packages = database.allIndices.compactMap { database.package(at: $0) }
    let places = packages.map(\.record.start)
    #expect(places == places.sorted())
    let circular = packages.filter { package in
      let needed = package.dependencies(.depends).flatMap(\.alternatives)
        .compactMap { package.satisfier(of: $0)?.index }
      return !Set(needed).isDisjoint(with: package.dependents())
    }
    #expect(circular.count > 20)
    #expect(!packages.filter { !$0.provides.isEmpty }.isEmpty)
    #expect(packages.allSatisfy { $0.dependencies.allSatisfy { !$0.alternatives.isEmpty } })
  }

  @Test("No package at all, and one, are files too")
  func smallNumbers() async throws {
    for count in [0, 1, 2] {
      let text = try await Program.run(python, [Self.script, "\(count)"]).output
      #expect(try database(text).count == count)
    }
  }
}
