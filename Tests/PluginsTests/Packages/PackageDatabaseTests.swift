import Foundation
import TestSupport
import Testing

@testable import Packages

@Suite("PackageDatabase")
struct PackageDatabaseTests {
  private func names(_ database: PackageDatabase, _ indices: [Int32]) -> [String] {
    indices.compactMap { database.package(at: $0)?.id }
  }

  @Test("Packages are sorted by name whatever the file's order, the native architecture first")
  func order() throws {
    let database = try database(
      stanza("z") + stanza("b", architecture: "i386") + stanza("dpkg")
        + stanza("b", architecture: "arm64") + stanza("b", architecture: "all") + stanza("b")
        + stanza("b-a"))
    #expect(
      names(database, database.allIndices) == [
        "b:amd64", "b:all", "b:arm64", "b:i386", "b-a:amd64", "dpkg:amd64", "z:amd64",
      ])
  }

  @Test("A plain name means the native package, a name with an architecture that one alone")
  func lookup() throws {
    let database = try database(
      stanza("dpkg") + stanza("c", version: "386", architecture: "i386")
        + stanza("c", version: "64") + stanza("d", architecture: "i386"))
    #expect(database.package(named: "c")?.version == "64")
    #expect(database.package(named: "C")?.version == "64")
    #expect(database.package(named: "c:i386")?.version == "386")
    #expect(database.package(named: "d")?.architecture == "i386")
    #expect(database.package(named: "d")?.displayName == "d:i386")
    #expect(database.package(named: "c")?.displayName == "c")
    #expect(database.packages(named: "c").map(\.version) == ["64", "386"])
    for name in ["c:arm64", "d:amd64", "c:", ":", "", ":i386", "e", "c:i386:i386"] {
      #expect(database.package(named: name) == nil, "\(name)")
    }
    #expect(database.package(at: -1) == nil && database.package(at: 4) == nil)
  }

  @Test("Whatever is in the file is found by its own id")
  func everyPackageIsFound() async throws {
    let database = try await PackageDatabase.load(path: systemStatus)
    for index in database.allIndices {
      let package = try #require(database.package(at: index))
      #expect(database.package(named: package.id) == package)
    }
  }

  @Test("A filter matches names first and then summaries, in any case, each package once")
  func filter() throws {
    let database = try database(
      stanza("aSh", "Description: a shell") + stanza("fish", "Description: Not a SHell, a fish")
        + stanza("vim", "Description: edits shell scripts") + stanza("zoo"))
    let all = database.allIndices
    #expect(names(database, database.matches("sh")) == names(database, [0, 1, 2]))
    #expect(names(database, database.matches("SHELL")) == names(database, [0, 1, 2]))
    #expect(database.matches("i") == [1, 2])
    #expect(database.matches("o") == [3, 1])
    #expect(database.matches("zoo") == [3])
    #expect(database.matches("") == all)
    for nothing in ["zoofish", "h\nf", "\n", "\0", "sh\0", "ä", "shell a", "zooo"] {
      #expect(database.matches(nothing).isEmpty, "\(nothing.debugDescription)")
    }
  }

  @Test("Packages are sorted by a column, and equal ones stay in the order of names")
  func columns() throws {
    let database = try database(
      stanza("a", version: "10", "Description: Zebra") + stanza("b", version: "9", "Description: b")
        + stanza("c", version: "1:1", "Description: a")
        + stanza("d", version: "9", "Description: B")
        + stanza("e", version: "1", status: "deinstall ok config-files"))
    func order(_ column: PackageColumn, _ isDescending: Bool) -> [Int32] {
      database.sorted([4, 1, 0, 3, 2], by: column, isDescending: isDescending)
    }
    #expect(order(.name, false) == [0, 1, 2, 3, 4])
    #expect(order(.name, true) == [4, 3, 2, 1, 0])
    #expect(order(.version, false) == [1, 3, 0, 2, 4])
    #expect(order(.version, true) == [4, 2, 0, 1, 3])
    #expect(order(.description, false) == [4, 2, 1, 3, 0])
    #expect(database.sorted([], by: .version, isDescending: true).isEmpty)
  }

  @Test("A filter finds what a plain search of names and summaries finds")
  func filterAgreesWithPlainSearch() async throws {
    let database = try await PackageDatabase.load(path: systemStatus)
    let rows = database.allIndices.compactMap { database.package(at: $0) }.map { package in
      (package.index, package.name.lowercased(), package.summary.lowercased())
    }
    for text in ["lib", "a", "GNU", "6", "shared library", "e ", "-", "python3"] {
      let wanted = text.lowercased()
      let byName = rows.filter { $0.1.contains(wanted) }
      let bySummary = rows.filter { !$0.1.contains(wanted) && $0.2.contains(wanted) }
      #expect(!byName.isEmpty || !bySummary.isEmpty)
      #expect(database.matches(text) == (byName + bySummary).map(\.0), "\(text)")
    }
  }

  @Test("Progress is monotonic, bounded, and ends with all bytes of each stage")
  func progress() async throws {
    let scratch = try TemporaryFolder()
    let path = scratch.url.path + "/status"
    let text = (0..<20_000).map { stanza("p\($0)", "Depends: p\($0 + 1)") }.joined()
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let recorder = ProgressRecorder()
    let database = try await PackageDatabase.load(path: path) { recorder.append($0) }
    #expect(database.count == 20_000)
    let steps = recorder.steps
    #expect(steps.allSatisfy { $0.bytesTotal == text.utf8.count })
    let reading = steps.prefix { $0.stage == .reading }
    checkSteps(reading.map(\.bytesDone), total: text.utf8.count)
    let indexing = steps.dropFirst(reading.count)
    #expect(indexing.allSatisfy { $0.stage == .indexing })
    checkSteps(indexing.map(\.bytesDone), total: text.utf8.count)
  }

  private func checkSteps(_ done: [Int], total: Int) {
    #expect(done.last == total)
    #expect(done == Set(done).sorted())
    #expect((1...LoadProgress.reportsPerStage).contains(done.count))
  }

  @Test("A cancelled task stops loading, before it begins and at the next step")
  func cancellation() async throws {
    let cancelled = DatabaseError(path: systemStatus, kind: .cancelled)
    let begun = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await PackageDatabase.load(path: systemStatus)
    }
    await #expect(throws: cancelled) { try await begun.value }
    let recorder = ProgressRecorder()
    let underway = Task {
      try await PackageDatabase.load(path: systemStatus) { step in
        recorder.append(step)
        if step.stage == .indexing { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: cancelled) { try await underway.value }
    #expect(recorder.steps.count { $0.stage == .indexing } == 1)
  }

  @Test("A file without a size of its own is read to its end")
  func filesWithoutSize() async throws {
    // The kernel's files say that they have no bytes, and have some.
    await #expect(throws: DatabaseError(path: "/proc/self/maps", kind: .notStatusFile(line: 1))) {
      try await PackageDatabase.load(path: "/proc/self/maps")
    }
  }
}
