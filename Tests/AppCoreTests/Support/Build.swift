import Foundation
import TestSupport

/// What the build made, and what made it.
enum Build {
  /// The folder with the test bundle, the libraries and the tools.
  static let folder = buildFolder
  /// The folder with the modules.
  static let modules = folder.appending(path: "Modules")
  /// The root of the package.
  static let root = packageFolder
  /// The compiler on the search path.
  static let compiler = Program.find("swiftc").map { URL(filePath: $0) }

  /// Runs a program to its end.
  ///
  /// - Returns: its status, and all that it printed.
  /// - Throws: what keeps it from being started.
  static func run(_ program: URL, _ arguments: [String]) async throws -> ProgramResult {
    try await Program.run(program.path, arguments, mergesErrors: true)
  }
}
