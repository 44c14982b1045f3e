import Foundation
import TestSupport
import Testing

/// A block of a document, as a person would copy it.
enum Listing {
  /// The block whose first line begins with `start`.
  static func beginning(_ start: String, in document: String) throws -> String {
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent(document), encoding: .utf8)
    let blocks = text.components(separatedBy: "\n```")
    let block = try #require(
      blocks.first { $0.split(separator: "\n").dropFirst().first?.hasPrefix(start) == true },
      "\(document) has no block that begins with '\(start)'")
    return block.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      .joined(separator: "\n") + "\n"
  }
}
