internal import Glibc
internal import Support

/// The sources of one plugin in a folder, with their digests and the entries that they name.
///
/// The sources are in `Sources/<Name>/`, as in a package, where the folder names the module. Or
/// they are in `Sources` or in the folder itself; then their entry names the plugin.
/// `Package.swift`, `Tests` and hidden folders are skipped.
struct PluginSources {
  /// The folder as it was given, which messages show.
  let given: String
  /// The absolute path of the folder, with links resolved.
  let path: String
  let name: String
  /// The paths of the sources, relative to the folder, sorted.
  let files: [String]
  /// In the order of the files.
  let digests: [ContentDigest]

  /// The maximum depth of nested folders; deeper ones are a loop of links or mounts.
  private static let depthLimit = 32

  /// - Throws: a rejection if there are no sources of one module, or they name no entry, several, or
  ///   one of another name; so the compiler need not run.
  init(_ path: String) throws(Rejection) {
    guard let real = FilePath.resolved(path), FilePath.isFolder(real) else {
      throw Rejection(.pluginNoSources, "there is no such folder")
    }
    self.path = real
    given = Self.plain(path)
    let module = try Self.module(in: real + "/Sources")
    let isPackage = FilePath.names(in: real + "/Sources") != nil
    let inner = isPackage ? ["Sources"] + (module.map { [$0] } ?? []) : []
    let root = ([real] + inner).joined(separator: "/")
    files = try Self.files(below: root, lead: inner.map { $0 + "/" }.joined(), isTop: !isPackage)
      .filter { $0.hasSuffix(".swift") }.sorted()
    guard !files.isEmpty else {
      throw Rejection(.pluginNoSources, "the folder holds no Swift sources")
    }
    var digests: [ContentDigest] = []
    var entries: [(name: String, place: String)] = []
    for file in files {
      let path = real + "/" + file
      let bytes: [UInt8]
      do throws(SystemError) { bytes = try WholeFile.read(path) } catch {
        throw .fileRefused(path: path, error: error.code)
      }
      digests.append(bytes.withUnsafeBytes { ContentDigest($0) })
      let shown = Self.shown(path, given: given, path: real)
      entries += Self.entries(in: bytes).map { ($0.name, "\(shown):\($0.line)") }
    }
    self.digests = digests
    name = try Self.name(entries, module: module, folder: real, files.count)
  }

  /// A text in which the folder's absolute path is replaced by the path that was given.
  func shown(_ text: String) -> String { Self.shown(text, given: given, path: path) }

  private static func shown(_ text: String, given: String, path: String) -> String {
    let lead = given == "." ? "" : given.hasSuffix("/") ? given : given + "/"
    var shown = ""
    var rest = text[...]
    while let range = rest.firstRange(of: path + "/") {
      let before = rest[..<range.lowerBound]
      // As in `/app/Sources/app/A.swift`, where the folder is `/app`.
      let continuesPath =
        !shown.isEmpty && !before.contains { $0.isWhitespace || "'\"`:".contains($0) }
      shown += before + (continuesPath ? path + "/" : lead)
      rest = rest[range.upperBound...]
    }
    return shown + rest
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

  /// The only module in a folder of modules; `nil` where the folder's sources are one module, as in
  /// SwiftPM where there are some directly in it, or there is no such folder.
  private static func module(in sources: String) throws(Rejection) -> String? {
    guard let names = FilePath.names(in: sources)?.sorted(),
      !names.contains(where: { $0.hasSuffix(".swift") })
    else { return nil }
    let endings = [
      ".swift", ".modulemap", ".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".s", ".S",
    ]
    var modules: [String] = []
    for name in names where FilePath.isFolder(sources + "/" + name) && !name.hasPrefix(".") {
      let files = try files(below: sources + "/" + name, lead: "", isTop: false)
      if files.contains(where: { endings.contains(where: $0.hasSuffix) }) { modules.append(name) }
    }
    guard modules.count < 2 else {
      throw Rejection(
        .pluginSeveralModules, "the folder holds \(modules.count) modules instead of one",
        details: modules.map { "module: \($0)" })
    }
    return modules.first
  }

  /// The files in a folder and those in it, each by its path from there behind `lead`.
  private static func files(
    below folder: String, lead: String, isTop: Bool, depth: Int = 0
  ) throws(Rejection) -> [String] {
    guard let names = FilePath.names(in: folder) else {
      throw .fileRefused(path: folder, error: errno)
    }
    var files: [String] = []
    for name in names.sorted() where !name.hasPrefix(".") {
      if isTop, name == "Tests" || name == "Package.swift" { continue }
      let path = folder + "/" + name
      if FilePath.isFolder(path) {
        // A package inside has sources of its own.
        if access(path + "/Package.swift", F_OK) == 0 { continue }
        guard depth < depthLimit else { throw .fileRefused(path: path, error: ELOOP) }
        files += try Self.files(
          below: path, lead: lead + name + "/", isTop: false, depth: depth + 1)
      } else {
        guard !name.hasSuffix(".swift") || access(path, F_OK) == 0 else {
          throw .fileRefused(path: path, error: errno)
        }
        files.append(lead + name)
      }
    }
    return files
  }

  /// The plugin's name: that of its module's folder, else that of its entry.
  private static func name(
    _ entries: [(name: String, place: String)], module: String?, folder: String, _ fileCount: Int
  ) throws(Rejection) -> String {
    guard let first = entries.first else {
      throw Rejection(
        .pluginSourceNoEntry,
        "no 'appcore_plugin_<Name>' is in its \(counted(fileCount, "source"))")
    }
    let names = Set(entries.map(\.name)).sorted()
    let expected = module ?? FilePath.name(of: folder)
    let name = names.contains(expected) ? expected : first.name
    if let module, module != name {
      throw Rejection(
        .pluginSourceOtherName,
        "\(first.place): the entry is named for '\(first.name)', and the module is '\(module)'",
        remedy: "name the entry 'appcore_plugin_\(module)', or rename the folder of the sources")
    }
    guard names.count == 1 || name == expected else {
      throw Rejection(
        .pluginSourceSeveralEntries, "its sources name \(names.count) entries instead of one",
        details: names.map { "entry: appcore_plugin_\($0)" })
    }
    guard PluginLocator.isName(name) else {
      throw Rejection(
        .pluginSourceOtherName, "'\(name)' can't be the name of a plugin",
        remedy: "a name is letters, digits and `_`, and does not begin with a digit")
    }
    return name
  }

  /// The occurrences of `appcore_plugin_<Name>`, except in lines that begin with `//`; lines are
  /// counted from 1.
  private static func entries(in bytes: [UInt8]) -> [(name: String, line: Int)] {
    let prefix = Array("\(PluginMetadata.entryPrefix)".utf8)
    var found: [(String, Int)] = []
    for (index, line) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated()
    {
      var rest = line.drop { $0 == 0x20 || $0 == 0x09 }
      if rest.starts(with: "//".utf8) { continue }
      while let position = rest.firstIndex(of: prefix[0]) {
        rest = rest[position...]
        if rest.starts(with: prefix) {
          let name = rest.dropFirst(prefix.count).prefix {
            PluginLocator.isNameByte($0) || $0 >= 0x80
          }
          if !name.isEmpty { found.append((String(decoding: name, as: UTF8.self), index + 1)) }
        }
        rest = rest.dropFirst()
      }
    }
    return found
  }
}
