internal import Glibc
internal import PluginHost
internal import Support

/// Leaves out of programs and libraries what only a debugger wants, which names folders of the machine
/// on which they were built.
struct Stripper {
  private let program: String
  private let environment: [String: String]
  /// A folder for what is stripped.
  private let folder: String

  /// - Throws: where there is no `strip`.
  init(in folder: String, environment: [String: String]) throws(BundleError) {
    self.folder = folder
    self.environment = environment
    guard let program = ToolProcess.find("strip", environment: environment) else {
      throw BundleError("strip", .bundleTool, "there is no 'strip' on the PATH")
    }
    self.program = program
  }

  /// The bytes of a file without its symbols and debug information.
  ///
  /// - Parameters:
  ///   - bytes: the file; of a plugin, without its stamp.
  ///   - path: what it is called in messages.
  /// - Returns: what is left.
  /// - Throws: ``BundleError`` where `strip` fails.
  func strip(_ bytes: [UInt8], path: String) throws(BundleError) -> [UInt8] {
    let file = folder + "/stripped"
    defer { unlink(file) }
    unlink(file)
    try BundleError.reporting(file) { () throws(SystemError) in
      try BundleTree.write(BundleFile(path: path, bytes: bytes, part: .host), to: file, time: 0)
    }
    let process = ToolProcess(
      executable: program, arguments: ["--strip-all", file],
      environment: environment.merging(["LC_ALL": "C"]) { $1 })
    let (end, output) = process.run()
    guard end == .status(0) else {
      throw BundleError(
        path, .bundleTool, "'strip' failed",
        details: output.split(separator: "\n").prefix(4).map(String.init))
    }
    return try BundleError.reporting(file) { () throws(SystemError) in try WholeFile.read(file) }
  }
}
