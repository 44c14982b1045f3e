internal import Glibc
internal import Support

/// A folder that holds the sources of one plugin.
///
/// The sources are in `Sources/<Name>/`, as in a package, where the folder names the module. Or
/// they are in `Sources` or in the folder itself; then their entry names the plugin.
/// `Package.swift`, `Tests` and hidden folders are skipped.
struct SourceFolder {
  /// The folder as it was given, which messages show.
  let given: String
  /// The absolute path of the folder, with links resolved.
  let path: String
  /// The name of the module, if the sources are in `Sources/<Name>/`.
  let module: String?
  /// The paths of the sources, relative to the folder, sorted.
  let files: [String]

  /// The maximum depth of nested folders; deeper ones are a loop of links or mounts.
  private static let depthLimit = 32
  private static let foreignEndings = [".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".s", ".S"]

  init(_ path: String) throws(Rejection) {
    let noSources = Rejection(.pluginNoSources, "the folder holds no Swift sources")
    guard let real = FilePath.resolved(path), FilePath.isFolder(real) else {
      throw Rejection(.pluginNoSources, "there is no such folder")
    }
    self.path = real
    given = Self.plain(path)
    let sources = real + "/Sources"
    guard let names = FilePath.names(in: sources)?.sorted() else {
      module = nil
      files = try Self.sources(in: real, lead: "", isTop: true)
      if files.isEmpty { throw noSources }
      return
    }
    var modules: [String] = []
    for name in names where FilePath.isFolder(sources + "/" + name) && !name.hasPrefix(".") {
      if try Self.isModule(sources + "/" + name) { modules.append(name) }
    }
    let direct = names.contains { $0.hasSuffix(".swift") }
    guard modules.count < 2 || direct else {
      throw Rejection(
        .pluginSeveralModules, "the folder holds \(modules.count) modules instead of one",
        details: modules.map { "module: \($0)" })
    }
    if let name = modules.first, !direct {
      module = name
      files = try Self.sources(in: sources + "/" + name, lead: "Sources/\(name)/", isTop: false)
    } else {
      // As in SwiftPM, sources directly in `Sources` make all of it one module.
      module = nil
      files = try Self.sources(in: sources, lead: "Sources/", isTop: false)
    }
    if files.isEmpty { throw noSources }
  }

  /// A text in which the folder's absolute path is replaced by the path that was given.
  func shown(_ text: String) -> String {
    let lead = given == "." ? "" : given.hasSuffix("/") ? given : given + "/"
    return text.replacing(path + "/", with: lead)
  }

  /// A path without a redundant `/` or `/.` at its end: `Devices` for `Devices/.` and `Devices/`.
  static func plain(_ path: String) -> String {
    var path = path
    while path.utf8.count > 1 {
      if path.hasSuffix("/") {
        path.removeLast()
      } else if path.hasSuffix("/.") {
        path.removeLast(2)
        if path.isEmpty { path = "/" }
      } else {
        break
      }
    }
    return path
  }

  private static func sources(
    in folder: String, lead: String, isTop: Bool
  ) throws(Rejection) -> [String] {
    var found: [String] = []
    try walk(folder, lead: lead, isTop: isTop, depth: 0) { name in
      if name.hasSuffix(".swift") { found.append(name) }
    }
    return found.sorted()
  }

  /// Whether a folder in `Sources` is a target of its own.
  private static func isModule(_ folder: String) throws(Rejection) -> Bool {
    var isModule = false
    try walk(folder, lead: "", isTop: false, depth: 0) { name in
      isModule =
        isModule || name.hasSuffix(".swift") || name.hasSuffix(".modulemap")
        || foreignEndings.contains { name.hasSuffix($0) }
    }
    return isModule
  }

  private static func walk(
    _ folder: String, lead: String, isTop: Bool, depth: Int, _ body: (String) -> Void
  ) throws(Rejection) {
    guard let names = FilePath.names(in: folder) else {
      throw .fileRefused(path: folder, error: errno)
    }
    for name in names.sorted() where !name.hasPrefix(".") {
      if isTop, name == "Tests" || name == "Package.swift" { continue }
      let path = folder + "/" + name
      if FilePath.isFolder(path) {
        // A package inside has sources of its own.
        if access(path + "/Package.swift", F_OK) == 0 { continue }
        guard depth < depthLimit else { throw .fileRefused(path: path, error: ELOOP) }
        try walk(path, lead: lead + name + "/", isTop: false, depth: depth + 1, body)
      } else {
        guard !name.hasSuffix(".swift") || access(path, F_OK) == 0 else {
          throw .fileRefused(path: path, error: errno)
        }
        body(lead + name)
      }
    }
  }
}
