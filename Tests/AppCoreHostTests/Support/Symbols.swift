import Foundation

/// The symbols of an ELF file.
enum Symbols {
  /// The mangled names that a file defines for others to see, as `nm` tells them.
  static func external(of path: String) throws -> Set<Substring> {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["nm", "--defined-only", "--extern-only", "--format=just-symbols", path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Set(String(decoding: output, as: UTF8.self).split(separator: "\n"))
  }
}
