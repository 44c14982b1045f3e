package import Foundation

/// A temporary folder that is removed when the object is deinitialized.
package final class TemporaryFolder: Sendable {
  package let url: URL
  package var path: String { url.path }

  /// Creates an empty folder with a unique name.
  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("appcore-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file at a relative path, creating missing folders, and returns its URL.
  @discardableResult
  package func write(_ name: String, _ text: String) throws -> URL {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file
  }
}
