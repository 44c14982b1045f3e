import Foundation

/// What the build made, and what made it.
enum Build {
  /// The folder with the test bundle, the libraries and the tools.
  static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()
  /// The folder with the modules.
  static let modules = folder.appending(path: "Modules")
  /// The root of the package.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  /// The compiler on the search path.
  static let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(filePath: String($0)).appending(path: "swiftc") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - program: the program's file.
  ///   - arguments: what it is given.
  /// - Returns: its status, and all that it printed.
  /// - Throws: what keeps it from being started.
  static func run(
    _ program: URL, _ arguments: [String]
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
