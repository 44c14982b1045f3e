/// The libraries that a plugin brings along: needed, and not loaded by the host.
///
/// They are looked for where the loader would look, beginning from where the plugin's file is,
/// and followed through what they need themselves. Libraries that are found nowhere there are the
/// system's, and left to the loader.
struct Dependencies: Sendable {
  /// The libraries in an order in which they can be loaded: what is needed comes first.
  private(set) var files: [(name: String, file: PluginFile)] = []

  init(of plugin: PluginFile) throws(PluginProblem.CauseError) {
    var seen: Set<String> = []
    try add(neededBy: plugin, &seen, depth: 0)
  }

  private mutating func add(
    neededBy user: PluginFile, _ seen: inout Set<String>, depth: Int
  ) throws(PluginProblem.CauseError) {
    // Libraries that need each other in a chain as deep as this do not exist.
    guard depth < 32 else { return }
    for library in user.facts.needed where seen.insert(library).inserted {
      switch LoadedLibraries.shared.kind(of: library) {
      case .ordinary: continue
      case .plugin(let name):
        throw PluginProblem.CauseError(.needsPlugin(name: name, library: library))
      case .absent: break
      }
      guard let path = Self.path(of: library, neededBy: user) else { continue }
      let file: PluginFile
      do throws(PluginProblem) { file = try PluginFile(path: path) } catch {
        // Not a library the loader could take either: it says so, or finds another.
        if case .notALibrary(let problem) = error.cause {
          throw PluginProblem.CauseError(.brokenDependency(library: library, problem))
        }
        continue
      }
      if let name = file.facts.names.first {
        throw PluginProblem.CauseError(.needsPlugin(name: name, library: library))
      }
      try add(neededBy: file, &seen, depth: depth + 1)
      files.append((library, file))
    }
  }

  /// Where the loader would find a library by the user's own search path.
  private static func path(of library: String, neededBy user: PluginFile) -> String? {
    if library.contains("/") { return library }
    let origin = folder(of: user.path)
    for entry in user.facts.runpath {
      let folder = entry.replacing("${ORIGIN}", with: origin).replacing("$ORIGIN", with: origin)
      let path = folder + "/" + library
      if PluginFile.identity(of: path) != nil { return path }
    }
    return nil
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Whether one of the libraries defines a symbol for others.
  func exports(_ symbol: String) -> Bool {
    files.contains { _, file in
      var found = false
      try? file.elf.forEachSymbol { found = found || $0.isExported && $0.string == symbol }
      return found
    }
  }
}

extension PluginProblem {
  /// A cause on its way to the place that knows the path.
  struct CauseError: Error {
    let cause: Cause

    init(_ cause: Cause) { self.cause = cause }
  }
}
