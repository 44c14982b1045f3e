internal import Support

/// The libraries that a plugin brings along.
///
/// They are looked for where the loader would look, beginning from where the plugin's file is,
/// and followed through what they need themselves. Libraries of the system and of the Swift
/// runtime are left to the loader.
struct Dependencies: Sendable {
  /// The libraries in an order in which they can be loaded: what is needed comes first.
  private(set) var items: [Dependency] = []

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
      let kind = LoadedLibraries.shared.kind(of: library)
      if kind == .ordinary { continue }
      if case .plugin(let name) = kind {
        throw PluginProblem.CauseError(.needsPlugin(name: name, library: library))
      }
      guard let (path, isBeside) = Self.path(of: library, neededBy: user) else { continue }
      let file: PluginFile
      do throws(PluginProblem) { file = try PluginFile(path: path, trust: user.trust) } catch {
        if case .notALibrary(let problem) = error.cause {
          throw PluginProblem.CauseError(.brokenDependency(library: library, problem))
        }
        if case .writable = error.cause { throw PluginProblem.CauseError(error.cause) }
        // The loader will say what it makes of it.
        continue
      }
      if let name = file.facts.names.first {
        throw PluginProblem.CauseError(.needsPlugin(name: name, library: library))
      }
      // The loader goes by the name, so the second of two libraries would be taken for the first.
      if case .dependency(let digest, let path) = kind, digest != file.digest.value {
        throw PluginProblem.CauseError(.otherDependency(library: library, loaded: path))
      }
      try add(neededBy: file, &seen, depth: depth + 1)
      items.append(Dependency(name: library, file: file, isBesidePlugin: isBeside))
    }
  }

  /// Where the loader would find a library by the user's own search path.
  ///
  /// A plugin's own folder counts even where the search path leaves it out: to be linked to the
  /// plugin beside it is refused for what it is, and not because that plugin is not found.
  static func path(
    of library: String, neededBy user: PluginFile
  ) -> (path: String, isBeside: Bool)? {
    if library.contains("/") { return (library, false) }
    let origin = FilePath.folder(of: user.path)
    for entry in user.facts.runpath {
      let folder = entry.replacing("${ORIGIN}", with: origin).replacing("$ORIGIN", with: origin)
      if SystemFolders.paths.contains(folder) { continue }
      let path = folder + "/" + library
      if PluginFile.identity(of: path) != nil { return (path, folder != entry) }
    }
    let path = origin + "/" + library
    guard !SystemFolders.paths.contains(origin),
      let file = try? PluginFile(path: path), !file.facts.names.isEmpty
    else { return nil }
    return (path, true)
  }

  /// Whether one of the libraries defines a symbol for others.
  func exports(_ symbol: String) -> Bool {
    items.contains { item in
      var found = false
      try? item.file.elf.forEachSymbol { found = found || $0.isExported && $0.string == symbol }
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
