internal import AppCheck
internal import Glibc
internal import PluginHost
internal import Support

/// Removes symbols and debug information from programs and libraries, with `strip`.
///
/// Debug information contains paths of the machine on which the file was built.
struct Stripper {
  private let program: String
  private let environment: [String: String]
  /// A folder for temporary files.
  private let folder: String

  /// Finds `strip` on the `PATH`.
  ///
  /// - Throws: ``BundleError`` if it is not there.
  init(in folder: String, environment: [String: String]) throws(BundleError) {
    self.folder = folder
    self.environment = environment
    guard let program = ToolProcess.find("strip", environment: environment) else {
      throw BundleError("strip", .bundleTool, "there is no 'strip' on the PATH")
    }
    self.program = program
  }

  /// Removes a file's symbols and debug information.
  ///
  /// - Parameters:
  ///   - bytes: the contents of the file; a plugin has to be without its stamp.
  ///   - path: the name of the file in messages.
  /// - Returns: the stripped contents.
  /// - Throws: ``BundleError`` if `strip` fails.
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
