import Foundation
internal import TestSupport
import Testing

@testable import Packages

@Suite(
  "PackageDatabase, of damaged files", .ownThread,
  .notThreadSanitized("one thread for 100,000 steps, in which nothing can race"))
struct MutationTests {
  /// Some stanzas with all that the parser knows.
  private var sound: [UInt8] {
    Array(
      (stanza("dpkg", "Depends: tar (>= 1.28-1), libc6:any | musl", "Provides: x (= 1), y")
        + stanza(
          "libc6", "Multi-Arch: same", "Pre-Depends: libgcc-s1,\n dpkg (<< 1:2~)",
          "Description: C\n Text\n .\n  - item", "Installed-Size: 12")
        + stanza("libgcc-s1", architecture: "i386", "Recommends: libc6", "Suggests: y | z (= 1)"))
        .utf8)
  }

  private let spice: [UInt8] = Array("\n\r\t :,|()<>=~-.aZ0".utf8) + [0, 0x80, 0xC3, 0xFF]

  @Test("Any damage ends in a located error or a database that answers every question")
  func damage() throws {
    var random = SplitMix64(seed: 20)
    var accepted = 0
    for _ in 0..<4000 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        guard let place = bytes.indices.randomElement(using: &random) else { break }
        let other = try #require(bytes.indices.randomElement(using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = try #require(spice.randomElement(using: &random))
        case 1: bytes.insert(try #require(spice.randomElement(using: &random)), at: place)
        case 2: bytes.remove(at: place)
        case 3: bytes.removeSubrange(min(place, other)..<min(max(place, other), place + 40))
        default: bytes.insert(contentsOf: bytes[min(place, other)..<max(place, other)], at: place)
        }
      }
      do throws(DatabaseError) {
        askEverything(try PackageDatabase(parsing: bytes, path: "status"))
        accepted += 1
      } catch {
        let lines = bytes.count { $0 == .newline } + 1
        #expect(error.line.map { (1...lines).contains($0) } ?? false, "\(error)")
      }
    }
    #expect(accepted > 500)
  }

  @Test("A file cut anywhere is read up to the cut, or refused")
  func cuts() {
    for end in sound.indices {
      do throws(DatabaseError) {
        askEverything(try PackageDatabase(parsing: Array(sound[..<end]), path: "status"))
      } catch {
        #expect(error.line != nil)
      }
    }
  }

  @Test("A stanza with very many fields, and a field with very many clauses, take linear time")
  func manyFields() throws {
    let fields = (0..<20_000).map { "X-\($0): \($0)\n" }.joined()
    let clauses = (0..<20_000).map { "n\($0)" }.joined(separator: ",|")
    let database = try database("Package: a\nDepends: \(clauses)\n" + fields)
    let package = try #require(database.package(named: "a"))
    #expect(package.field("x-19999") == "19999")
    #expect(package.dependencies(.depends).count == 20_000)
  }

  private func askEverything(_ database: PackageDatabase) {
    for index in database.allIndices {
      guard let package = database.package(at: index) else { continue }
      _ = (package.displayName, package.description.longText, package.source, package.statusWords)
      _ = (package.installedSize, package.isEssential, package.dependents(.wanted))
      #expect(database.packages(named: package.name).contains(package))
      for kind in Dependency.Kind.allCases {
        for group in package.dependencies(kind) {
          #expect(!group.alternatives.isEmpty)
          for alternative in group.alternatives {
            guard let other = package.satisfier(of: alternative), other != package else { continue }
            if package.state.isRemoved || ![.depends, .preDepends].contains(kind) { continue }
            #expect(other.dependents().contains(index))
          }
        }
      }
    }
    #expect(database.matches("a").allSatisfy { database.package(at: $0) != nil })
  }
}
