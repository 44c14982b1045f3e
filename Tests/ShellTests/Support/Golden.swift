import Foundation
import Testing

/// Compares text with a file in `Golden`; `RECORD=1` writes it, a missing one fails.
func expectGolden(
  _ name: String, _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Golden/\(name).txt")
  let text = lines.joined(separator: "\n") + "\n"
  if ProcessInfo.processInfo.environment["RECORD"] == "1" {
    try text.write(to: file, atomically: true, encoding: .utf8)
    return
  }
  let golden = try? String(contentsOf: file, encoding: .utf8)
  #expect(text == golden, "differs from Golden/\(name).txt", sourceLocation: sourceLocation)
}
