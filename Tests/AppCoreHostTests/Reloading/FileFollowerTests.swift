import Foundation
import TestSupport
import Testing

@testable import AppCoreHost

@Suite("Folders of sources that are followed", .timeLimit(.minutes(5)))
struct FileFollowerTests {
  private let folder: TemporaryFolder
  private let sources: String

  init() throws {
    folder = try TemporaryFolder()
    sources = folder.path + "/Shop"
    try FileManager.default.createDirectory(
      atPath: sources + "/Parts/Inner", withIntermediateDirectories: true)
    try "".write(toFile: sources + "/Parts/Inner/Part.swift", atomically: true, encoding: .utf8)
  }

  private func move(_ old: String, to new: String) throws {
    try FileManager.default.moveItem(atPath: old, toPath: new)
  }

  @Test("A folder that is moved away is a change, and so is what comes into its place")
  func moved() async throws {
    let (changes, continuation) = AsyncStream<String>.makeStream()
    let follower = try FileFollower([
      FollowedPath(subject: "Shop", path: sources, isFolder: true)
    ]) { continuation.yield($0) }
    var subjects = changes.makeAsyncIterator()
    let away = folder.path + "/Away"
    for moved in [sources + "/Parts", sources] {
      try move(moved, to: away)
      #expect(await subjects.next() == "Shop")
      // What is elsewhere now is followed no longer: only the return is a change.
      try "1".write(toFile: away + "/Other.swift", atomically: true, encoding: .utf8)
      try move(away, to: moved)
      #expect(await subjects.next() == "Shop")
    }
    try "2".write(toFile: sources + "/Parts/Inner/Part.swift", atomically: true, encoding: .utf8)
    #expect(await subjects.next() == "Shop")
    withExtendedLifetime(follower) {}
  }
}
