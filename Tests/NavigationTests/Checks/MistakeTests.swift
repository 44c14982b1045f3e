import Foundation
import Manifest
import Support
import Testing

@testable import Navigation

/// A manifest with nothing wrong, and what a person can do to it: each file under `err/mistakes` has
/// one mistake, and its `.out` has the one problem that is printed for it.
@Suite("One mistake")
struct MistakeTests {
  private static let folder = GoldenProblemTests.folder.deletingLastPathComponent()
    .appending(path: "mistakes")

  private static let names: [String] = GoldenProblemTests.manifests(in: folder)

  @Test("Each has one problem, at its place", arguments: names)
  func isOneProblem(name: String) throws {
    let checked = try GoldenProblemTests.Checked(name, in: Self.folder)
    #expect(checked.problems.count == 1)
    try checked.expectGolden()
  }

  @Test("There are all that have been thought of")
  func areFound() { #expect(Self.names.count >= 249) }
}
