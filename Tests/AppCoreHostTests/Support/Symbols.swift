import TestSupport

/// The symbols of an ELF file.
enum Symbols {
  /// The mangled names that a file defines for others to see, as `nm` tells them.
  static func external(of path: String) async throws -> Set<Substring> {
    let nm = try await Program.run(
      "/usr/bin/env", ["nm", "--defined-only", "--extern-only", "--format=just-symbols", path])
    return Set(nm.output.split(separator: "\n"))
  }
}
