internal import Glibc
internal import Support

/// The `swiftc` that is first on the `PATH`.
struct SwiftCompiler {
  /// The path on the `PATH`; links are not resolved.
  let path: String
  /// Identifies the program and its current version, for the cost of a `stat`.
  let identity: String
  /// Whether the file is the compiler itself.
  ///
  /// A version manager puts a program of its own on the `PATH`, which starts one compiler today and
  /// another tomorrow: then only `swiftc --version` tells them apart.
  let isItself: Bool

  /// Finds the compiler; `nil` if there is none.
  init?(environment: [String: String]) {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let found = folders.lazy.map { "\($0)/swiftc" }.first { path in
      access(path, X_OK) == 0 && !FilePath.isFolder(path)
    }
    guard let found, let real = FilePath.resolved(found), let identity = fileIdentity(real) else {
      return nil
    }
    path = found
    self.identity = "\(real) \(identity)"
    let name = real.split(separator: "/").last ?? ""
    isItself = ["swiftc", "swift-driver", "swift-frontend", "swift"].contains(name)
  }

  /// The release, such as `6.3.1`.
  ///
  /// - Complexity: starts the compiler, which takes 50 ms.
  func version(environment: [String: String]) throws(Rejection) -> String {
    let process = ToolProcess(
      executable: path, arguments: ["--version"], environment: environment)
    let (end, output) = process.run()
    if case .lost(let error) = end {
      throw .compilerEnded(path: path, reason: "can't be run: \(errorText(error))")
    }
    let words = output.split(whereSeparator: \.isWhitespace)
    guard let index = words.firstIndex(of: "version"), words.indices.contains(index + 1) else {
      throw .silentCompiler(path: path)
    }
    return String(words[index + 1])
  }
}

/// A text that identifies a file and its current version; `nil` if there is no file.
func fileIdentity(_ path: String) -> String? {
  guard let identity = PluginFile.identity(of: path) else { return nil }
  return "\(identity.inode) \(identity.size) \(identity.modified)"
}
