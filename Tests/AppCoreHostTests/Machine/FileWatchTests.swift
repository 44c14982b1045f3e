@_spi(Host) import AppCore
import Foundation
import Testing

@testable import AppCoreHost

@Suite("FileSystem's changes", .timeLimit(.minutes(2)))
struct FileWatchTests {
  private let folder: String
  private var path: String { folder + "/a.json" }
  private let files = FileSystem(MachineFiles())

  init() throws {
    folder = NSTemporaryDirectory() + "appcore-watch-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  @Test("A file is reported when it is written, replaced and removed, whoever does it")
  func changes() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var changes = files.changes(of: path).makeAsyncIterator()
    try Data("1".utf8).write(to: URL(fileURLWithPath: path))
    #expect(await changes.next() != nil)
    try await files.write("2", to: path)
    #expect(await changes.next() != nil)
    try FileManager.default.removeItem(atPath: path)
    #expect(await changes.next() != nil)
  }

  @Test("A file in a folder that isn't there can't be followed")
  func noFolder() async {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var changes = files.changes(of: folder + "/none/a").makeAsyncIterator()
    #expect(await changes.next() == nil)
  }

  @Test("A shared value takes a change by another program")
  func shared() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await withDependencies {
      $0.sharedStorage = SharedStorage()
      $0.fileSystem = files
    } operation: {
      @Shared(.file(path)) var numbers = [1]
      $numbers.withLock { $0.append(2) }
      var values = $numbers.values.makeAsyncIterator()
      #expect(await values.next() == [1, 2])
      try Data("[3]".utf8).write(to: URL(fileURLWithPath: path))
      #expect(await values.next() == [3])
    }
  }
}
